import { closeSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What of the workspace is read-only while a run has the workspace itself. */
export interface Protection {
  readonly args: readonly string[]
  /** Takes away the mount points that had to be made; may be called twice. */
  release(): void
}

/** Makes `.haft` and what git executes read-only, also where they are missing, and `.git` a mount so that it cannot be renamed away. */
export function protectInPlace(workspace: string): Protection {
  const made: (() => void)[] = []
  const git = join(workspace, '.git')
  const shut = (path: string): string[] => ['--ro-bind', path, path]
  const folder = (path: string): string => {
    if (!isThere(path)) {
      mkdirSync(path)
      made.push(() => removeQuietly(() => rmdirSync(path)))
    }
    return path
  }
  const file = (path: string): string => {
    if (!isThere(path)) {
      closeSync(openSync(path, 'wx'))
      made.push(() => removeQuietly(() => unlinkSync(path)))
    }
    return path
  }
  const hasRepository = lstatSync(git, { throwIfNoEntry: false })?.isDirectory() ?? false
  const gitArgs = hasRepository
    ? ['--bind', git, git, ...shut(folder(join(git, 'hooks'))), ...shut(file(join(git, 'config')))]
    : shut(folder(git))
  return {
    args: [...gitArgs, ...shut(folder(join(workspace, '.haft')))],
    release() {
      for (const remove of made.splice(0).reverse()) remove()
    },
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Another run may have taken it away already, or the user have put something in. */
function removeQuietly(remove: () => void): void {
  try {
    remove()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTEMPTY', 'EBUSY'].includes(`${error.code}`)))
      throw error
  }
}
