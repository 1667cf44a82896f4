import { closeSync, constants, openSync, readSync } from 'node:fs'
import { errnoOf } from '../file-errors.ts'
import { lstatIfExists } from '../stat-path.ts'
import type { Tree } from './tree.ts'

/** Returns the git folder that a path is in or is, the innermost one; undefined outside of any. Paths are relative to the workspace, which itself is ``. A leaf, which is known to be no folder, is not looked at. */
export type FindGitFolder = (path: string, isLeaf?: boolean) => string | undefined

/** Creates a finder for a tree. It remembers what it saw, so it serves one check only. */
export function createGitFolderFinder(tree: Tree): FindGitFolder {
  const known = new Map<string, boolean>()
  const isGit = (folder: string): boolean => {
    const seen = known.get(folder)
    if (seen !== undefined) return seen
    const main = mainOfWorkTree(folder)
    const found = isGitName(folder) || (main !== undefined && isGit(main)) || looksLikeRepository(tree, folder)
    known.set(folder, found)
    return found
  }
  return (path, isLeaf = false) => {
    const first = isLeaf && !isGitName(path) && mainOfWorkTree(path) === undefined ? above(path) : path
    for (let folder: string | undefined = first; folder !== undefined; folder = above(folder))
      if (isGit(folder)) return folder
    return undefined
  }
}

/** Returns the git folder that a path would be a linked work tree of, by its name. */
export function mainOfWorkTree(path: string): string | undefined {
  return /^(.+)\/worktrees\/[^/]+$/.exec(path)?.[1]
}

/** Returns the folder of a path, undefined for the workspace itself. */
function above(path: string): string | undefined {
  if (path === '') return undefined
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

/** Characters that some file systems ignore when they compare names. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** Returns a name as the file systems of other machines may compare it. */
export function plainName(name: string): string {
  return name
    .replace(UNSEEN, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[. ]+$/, '')
}

/** `.git`, its short name on Windows, and its streams there. */
const GIT_NAME = /^(\.git|git~[0-9]+)(:.*)?$/

/** True for a path whose last name is `.git` on any file system. */
export function isGitName(path: string): boolean {
  return GIT_NAME.test(plainName(path.slice(path.lastIndexOf('/') + 1)))
}

/** True for a folder that git would take as a repository without being named `.git`: a bare one, or the folder of a work tree or submodule. False for a folder that we may not enter, and for a link: what it leads to is looked at under its own path. */
function looksLikeRepository(tree: Tree, folder: string): boolean {
  try {
    if (lstatIfExists(tree.at(folder))?.isDirectory() !== true) return false
    const at = (name: string) => tree.at(folder === '' ? name : `${folder}/${name}`)
    const has = (name: string) => lstatIfExists(at(name)) !== undefined
    return isHead(at('HEAD')) && (has('commondir') || (has('objects') && has('refs')))
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return false
    throw error
  }
}

/** True where git accepts HEAD: a link, the name of a ref, or a hash. */
function isHead(path: string): boolean {
  const stats = lstatIfExists(path)
  if (stats === undefined) return false
  if (!stats.isFile()) return stats.isSymbolicLink()
  return /^(ref:\s*refs\/|[0-9a-f]{40})/i.test(readStart(path))
}

/** Reads the first bytes of a file; a file that cannot be read counts as a valid HEAD. */
function readStart(path: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const bytes = Buffer.alloc(64)
      return bytes.toString('latin1', 0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  } catch {
    return 'ref: refs/'
  }
}
