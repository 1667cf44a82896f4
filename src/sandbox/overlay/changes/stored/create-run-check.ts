import { join, relative } from 'node:path'
import { createNamedCheck } from '../../../../core/rules/named-files.ts'
import { isInstalled, isTrustedByContent } from '../../../../core/rules/trusted-content.ts'
import { isHookToolPath, isOwnProgram, isTrustedPath } from '../../../../core/rules/trusted-files.ts'
import { insidePath } from '../../../../core/text/paths.ts'
import { listHookPaths } from '../../../../files/repositories/hook-paths.ts'
import type { Sides } from '../find-changes.ts'
import { readWhole, trustsMore } from '../find-trusted.ts'
import type { StoredEntry } from './list-stored.ts'
import { type GitReader, withNewObjects } from './read-git.ts'

/** A repository that was there before the run. */
export interface StoredRepository {
  /** The real path of the workspace. */
  readonly workspace: string
  readonly git: GitReader
  /** The work tree. */
  readonly folder: string
  /** The folder of new objects. */
  readonly objects: string
}

/** Tells what runs once it is checked out. */
export interface RunCheck {
  isRun(entry: StoredEntry): boolean
  /** The folders of hooks in the work tree, relative to it. */
  readonly hookFolders: readonly string[]
}

/** Creates the check of a repository: hooks, what they and direnv run, and, unless the commits may come from another machine, all other files that programs execute or trust. */
export function createRunCheck(repository: StoredRepository, sides: Sides): RunCheck {
  const { userHome, hasNetwork = false, ownPrograms = [] } = sides
  const { workspace, git, folder, objects } = repository
  const hookFolders = listHookPaths(folder, { workspace, userHome }).flatMap((path) => insidePath(folder, path) || [])
  const isNamed = createNamedCheck((path) => readWhole(join(folder, path)))
  const isTrusting = ({ mode, object, path }: StoredEntry): boolean => {
    if (isTrustedPath(path)) return true
    if (!isTrustedByContent(path)) return false
    if (!mode.startsWith('100')) return true
    const text = git.read(['cat-file', 'blob', object], withNewObjects(git.folder, objects))
    return trustsMore(folder, path, text)
  }
  return {
    hookFolders,
    isRun: (entry) =>
      isHook(entry.path, hookFolders) ||
      isHookToolPath(entry.path) ||
      isNamed(entry.path) ||
      isOwnProgram(relative(workspace, join(folder, entry.path)), ownPrograms) ||
      (!hasNetwork && !isInstalled(entry.path) && isTrusting(entry)),
  }
}

/** True for a path in a folder of hooks, and for a file or link in place of such a folder or one above it. */
function isHook(path: string, folders: readonly string[]): boolean {
  return folders.some((hook) => `${path}/`.startsWith(`${hook}/`) || hook.startsWith(`${path}/`))
}
