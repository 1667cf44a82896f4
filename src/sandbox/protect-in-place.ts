import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What of the workspace is read-only while a run has the workspace itself. */
export interface Protection {
  readonly args: readonly string[]
  /** Takes away the mount points that had to be made; may be called twice. */
  release(): void
}

/** How many runs of this process use each mount point that was made for them: the last one takes it away. */
const users = new Map<string, number>()

/** Makes `.haft` and what git executes read-only, also where they are missing, and `.git` a mount so that it cannot be renamed away. */
export function protectInPlace(workspace: string): Protection {
  const made: (() => void)[] = []
  const git = join(workspace, '.git')
  const shut = (path: string): string[] => ['--ro-bind', path, path]
  const folder = (path: string): string => {
    if (!isThere(path)) mkdirSync(path)
    else if (!users.has(path)) return path
    made.push(use(path, rmdirSync))
    return path
  }
  const file = (path: string): string => {
    if (!isThere(path)) closeSync(openSync(path, 'wx'))
    else if (!users.has(path)) return path
    made.push(use(path, unlinkSync))
    return path
  }
  const gitArgs = hasRepository(git)
    ? ['--bind', git, git, ...shut(folder(join(git, 'hooks'))), ...shut(file(join(git, 'config')))]
    : shut(folder(git))
  return {
    args: [...gitArgs, ...shut(folder(join(workspace, '.haft')))],
    release() {
      for (const remove of made.splice(0).reverse()) remove()
    },
  }
}

/** False for the empty folder that another run made as its mount point. */
function hasRepository(git: string): boolean {
  const isFolder = lstatSync(git, { throwIfNoEntry: false })?.isDirectory() ?? false
  return isFolder && !(users.has(git) && readdirSync(git).length === 0)
}

/** Counts a run in; returns how to count it out. */
function use(path: string, remove: (path: string) => void): () => void {
  users.set(path, (users.get(path) ?? 0) + 1)
  return () => {
    const left = (users.get(path) ?? 1) - 1
    if (left > 0) users.set(path, left)
    else {
      users.delete(path)
      removeQuietly(() => remove(path))
    }
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
