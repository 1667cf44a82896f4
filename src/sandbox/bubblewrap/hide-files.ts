import { openSync } from 'node:fs'
import type { SandboxOptions } from '../sandbox-options.ts'
import { FIRST_DESCRIPTOR } from './bwrap-process.ts'

/** True when a run must not see some files of its workspace. */
export function hasHiddenFiles({ listHiddenFiles }: Pick<SandboxOptions, 'listHiddenFiles'>): boolean {
  return (listHiddenFiles?.().length ?? 0) > 0
}

/** Returns arguments that bind an empty file nobody may read over each file, and adds the descriptors they need. The file is there, but it cannot be opened, changed or removed. */
export function hideFiles(files: readonly string[], descriptors: number[]): string[] {
  return files.flatMap((path) => {
    const descriptor = FIRST_DESCRIPTOR + descriptors.length
    descriptors.push(openSync('/dev/null', 'r'))
    return ['--perms', '0000', '--ro-bind-data', `${descriptor}`, path]
  })
}
