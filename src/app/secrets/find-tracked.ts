import { join } from 'node:path'
import { openGit } from '../../sandbox/overlay/changes/stored/read-git.ts'
import { programs } from '../programs/programs.ts'

/** How long git may take, in milliseconds: Haft waits for it. */
const LONGEST = 2_000

/** Returns those of the files that git tracks; none where the workspace is no repository, or git cannot be run or takes too long. */
export function findTracked(workspace: string, paths: readonly string[]): ReadonlySet<string> {
  try {
    const names = openGit(programs, workspace, {}, LONGEST)
      .read(['ls-files', '-z', '--', ...paths])
      .split('\0')
    return new Set(names.filter((name) => name !== '').map((name) => join(workspace, name)))
  } catch {
    return new Set()
  }
}
