import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeSharedFolder } from './shared-folder.ts'

/** Vitest's global set-up: the command line is tested as it is shipped, so it is built first, unless `npm test` just did. */
export default async function build({ provide }: TestProject): Promise<() => void> {
  // What tests make has the same mode on every machine; the processes that run them start with this one's.
  process.umask(0o022)
  if (process.env.HAFT_BUILT !== '1')
    execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts')], { stdio: 'inherit' })
  const shared = await makeSharedFolder()
  provide('shared', shared)
  return () => {
    rmSync(join(tmpdir(), `haft-test-home-${process.pid}`), { recursive: true, force: true })
    rmSync(shared.folder, { recursive: true, force: true })
  }
}
