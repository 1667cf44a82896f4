import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    // Tests leave nothing in the home of whoever runs them.
    env: { HAFT_HOME: join(tmpdir(), `haft-test-home-${process.pid}`) },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
