import { lstatSync, openSync } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import { insidePath } from '../../core/text/paths.ts'
import type { SandboxOptions } from '../sandbox-options.ts'
import { FIRST_DESCRIPTOR } from './bwrap-process.ts'

/** The most paths that can be hidden: each needs a descriptor and a mount. */
const MAX_HIDDEN = 500

/** True when a run must not see some files of its workspace. */
export function hasHiddenFiles(options: Pick<SandboxOptions, 'listHiddenFiles'>): boolean {
  return findHidden(options).length > 0
}

/** Returns the files and folders to hide; of several inside one another the outermost. Throws UNAVAILABLE when there are too many: no command may run then. */
export function findHidden({ listHiddenFiles }: Pick<SandboxOptions, 'listHiddenFiles'>): readonly string[] {
  const found = [...new Set(listHiddenFiles?.())].filter(isFileOrFolder)
  const hidden = found.filter((path) => !found.some((other) => other !== path && insidePath(other, path) !== undefined))
  if (hidden.length <= MAX_HIDDEN) return hidden
  throw new ToolError(
    'UNAVAILABLE',
    `Rules deny to read ${hidden.length} files here, and a sandbox can hide at most ${MAX_HIDDEN} files or folders. Nothing was run. Let the rules name folders instead, such as "secrets/**".`,
  )
}

/** A link is not hidden: what it leads to is, where a rule denies that. */
function isFileOrFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true || stats?.isDirectory() === true
}

/** Returns arguments that cover each file with an empty one, and each folder with an empty one, that nobody may read, and adds the descriptors they need. They are there, but cannot be opened, changed or removed. */
export function hideFiles(paths: readonly string[], descriptors: number[]): string[] {
  return paths.flatMap((path) => {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
      return ['--perms', '0000', '--tmpfs', path, '--remount-ro', path]
    const descriptor = FIRST_DESCRIPTOR + descriptors.length
    descriptors.push(openSync('/dev/null', 'r'))
    return ['--perms', '0000', '--ro-bind-data', `${descriptor}`, path]
  })
}
