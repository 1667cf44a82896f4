import { join } from 'node:path'
import { openGit } from '../../sandbox/overlay/changes/stored/read-git.ts'
import { programs } from '../programs/programs.ts'

/** Returns those of the files that git tracks; none where the workspace is no repository, or git cannot be run. */
export function findTracked(workspace: string, paths: readonly string[]): ReadonlySet<string> {
  try {
    const names = openGit(programs, workspace)
      .read(['ls-files', '-z', '--', ...paths])
      .split('\0')
    return new Set(names.filter((name) => name !== '').map((name) => join(workspace, name)))
  } catch {
    return new Set()
  }
}
