import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeSharedFolder } from './shared-folder.ts'

/** Vitest's global set-up: the command line is tested as it is shipped, so it is built first, unless `npm test` just did. */
export default async function build({ provide }: TestProject): Promise<() => void> {
  if (process.env.HAFT_BUILT !== '1')
    execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts')], { stdio: 'inherit' })
  const shared = await makeSharedFolder()
  provide('shared', shared)
  return () => {
    rmSync(join(tmpdir(), `haft-test-home-${process.pid}`), { recursive: true, force: true })
    rmSync(shared.folder, { recursive: true, force: true })
  }
}
