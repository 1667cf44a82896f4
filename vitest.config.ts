import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // `npm run test:engine` installs the engine that these need.
    exclude: process.env.HAFT_ENGINE === undefined ? ['test/engine/**'] : [],
    globalSetup: 'test/support/build.ts',
    // Most tests wait for programs that they started, so two files at once suit two processors too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests leave nothing in the home of whoever runs them.
    env: { HAFT_HOME: join(tmpdir(), `haft-test-home-${process.pid}`) },
    // A busy machine is slow; a poll that succeeds ends at once.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
