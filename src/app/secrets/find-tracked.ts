import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** How long git may take, in milliseconds. */
const TIMEOUT = 5_000

/** Returns those of the files that git tracks; none where the workspace is no repository. Runs nothing that the repository's settings name. Never rejects. */
export function findTracked(workspace: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const args = ['-c', 'core.fsmonitor=false', '-C', workspace, 'ls-files', '-z', '--', ...paths]
  return new Promise((resolve) => {
    execFile('git', args, { timeout: TIMEOUT, env: { PATH: process.env.PATH, LC_ALL: 'C' } }, (problem, stdout) => {
      const names = problem ? [] : stdout.split('\0').filter((name) => name !== '')
      resolve(new Set(names.map((name) => join(workspace, name))))
    })
  })
}
