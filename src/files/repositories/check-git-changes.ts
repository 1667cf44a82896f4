import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { insidePath, resolvePath } from '../../core/text/paths.ts'
import { readAll } from '../read/read-all.ts'
import { lstatIfExists } from '../stat-path.ts'
import { parseGitConfig } from './git-config.ts'
import { createGitFolderFinder, type FindGitFolder, isGitName, mainOfWorkTree } from './git-folders.ts'
import { type GitEntry, isHarmlessInGit } from './harmless-paths.ts'
import { createTree, type Tree } from './tree.ts'

/** A workspace before and after a change. */
export interface BeforeAndAfter {
  /** The path of the workspace. */
  readonly lower: string
  readonly after: Tree
}

/** A path that changed. */
export interface ChangedPath {
  readonly path: string
  /** True where the path is no folder, before and after; only speed depends on it. */
  readonly isLeaf?: boolean
}

/** Returns the paths whose changes could make git run something, or trust another repository, later. */
export function findUnsafeGitChanges(changes: readonly ChangedPath[], trees: BeforeAndAfter): string[] {
  const guard = createGuard(trees)
  const unsafe = changes.filter((change) => !guard.isHarmless(change)).map(({ path }) => path)
  return [...new Set([...unsafe, ...guard.findUnsafeNew()])]
}

/** Returns a function that tells whether undo may put `kept` at a path of a git folder, or remove what is there: whether git runs nothing else afterwards. It remembers which folders are repositories. */
export function createRestoreGuard(workspace: string): (change: ChangedPath, kept: GitEntry | undefined) => boolean {
  const tree = createTree(workspace)
  const find = createGitFolderFinder(tree)
  return ({ path, isLeaf }, kept) => {
    const git = find(path, isLeaf)
    if (git === undefined) return true
    if (kept === undefined && /(^|\/)\.git\/modules(\/|$)/.test(path)) return true
    // Undo removes only empty folders.
    if (kept === undefined && lookAt(tree, path)?.type === 'folder') return true
    return checkEntry(path, git, {
      before: lookAt(tree, path),
      after: kept,
      trees: { lower: workspace, after: tree },
      isWorkTree: isWorkTree(git, find),
      // Undo brings back what was there before the call.
      isNew: true,
    })
  }
}

interface Guard {
  isHarmless(change: ChangedPath): boolean
  /** Returns what is unsafe in folders that became repositories by the changes that were looked at. */
  findUnsafeNew(): string[]
}

function createGuard(trees: BeforeAndAfter): Guard {
  const { after } = trees
  const before = createTree(trees.lower)
  const [findBefore, findAfter] = [createGitFolderFinder(before), createGitFolderFinder(after)]
  const created = new Set<string>()
  const check = (path: string, git: string, was: GitEntry | undefined): boolean =>
    checkEntry(path, git, {
      before: was,
      after: lookAt(after, path),
      trees,
      isWorkTree: isWorkTree(git, findAfter) || isWorkTree(git, findBefore),
      isNew: lookAt(before, git === '' ? 'objects' : `${git}/objects`) === undefined,
    })
  /** A repository that was there before is guarded by itself, and data folders hold nothing that runs. */
  const findUnsafeIn = (folder: string, git: string): string[] =>
    after.names(folder).flatMap((name) => {
      const path = folder === '' ? name : `${folder}/${name}`
      const own = findAfter(path) ?? git
      if (own === path && findBefore(path) === path) return []
      if (!check(path, own, undefined)) return [path]
      return lookAt(after, path)?.type === 'folder' && !DATA.test(name) ? findUnsafeIn(path, own) : []
    })
  return {
    isHarmless({ path, isLeaf = false }) {
      const git = findAfter(path, isLeaf)
      if (git !== undefined && !isGitName(git) && findBefore(git) !== git) created.add(git)
      if (git !== undefined) return check(path, git, lookAt(before, path))
      const was = findBefore(path, isLeaf)
      // A folder that holds a repository may be deleted, and so may a bare one; `.git` itself may not.
      return was === undefined || (was === path && !isGitName(path)) || check(path, was, lookAt(before, path))
    },
    findUnsafeNew: () => [...created].flatMap((git) => findUnsafeIn(git, git)),
  }
}

interface CheckedEntry {
  readonly before: GitEntry | undefined
  readonly after: GitEntry | undefined
  readonly trees: BeforeAndAfter
  readonly isWorkTree: boolean
  readonly isNew: boolean
}

function checkEntry(path: string, git: string, { before, after, trees, isWorkTree, isNew }: CheckedEntry): boolean {
  if (git === path && isGitName(path) && after !== undefined && after.type !== 'folder')
    return isKnownGitFile(path, after, trees)
  return isHarmlessInGit({
    inner: path === git ? '' : path.slice(git === '' ? 0 : git.length + 1),
    before,
    after,
    isWorkTree,
    isNew,
    isWorkTreeFile: (named) => isGitName(named) && isInside(trees, git, named),
    hashLength: () => findHashLength(trees.after, mainOfWorkTree(git) ?? git),
    isObjectFolder: (named) => isInside(trees, `${git}/objects`, named),
    staysInside: (named) => /(^|\/)\.git\/modules\//.test(git) && isInside(trees, git, named),
  })
}

function findHashLength(tree: Tree, git: string): number {
  const settings = parseGitConfig(lookAt(tree, git === '' ? 'config' : `${git}/config`)?.text() ?? '') ?? []
  return settings.findLast(([key]) => key === 'extensions.objectformat')?.[1] === 'sha256' ? 32 : 20
}

const DATA = /^(objects|refs|logs)$/

function isWorkTree(git: string, find: FindGitFolder): boolean {
  const main = mainOfWorkTree(git)
  return main !== undefined && find(main) === main
}

/** True for a `.git` file that leads into a `.git` folder of the workspace: of a linked work tree or a submodule. */
function isKnownGitFile(path: string, { type, text }: GitEntry, trees: BeforeAndAfter): boolean {
  const target = type === 'file' ? /^gitdir: ([^\n]+)\n?$/.exec(text())?.[1] : undefined
  if (target === undefined) return false
  return isInside(trees, dirname(path), target, /(^|\/)\.git\/(worktrees|modules)\/./)
}

/** True when a path that is named from a folder stays inside the workspace, links included, and has a form. */
function isInside({ lower, after }: BeforeAndAfter, folder: string, named: string, form = /./): boolean {
  const inside = insidePath(lower, resolvePath(join(lower, folder), named))
  return inside !== undefined && form.test(inside) && !passesLink(after, inside)
}

function passesLink(tree: Tree, path: string): boolean {
  const parts = path.split('/')
  return parts.some(
    (_, index) => lstatIfExists(tree.at(parts.slice(0, index + 1).join('/')))?.isSymbolicLink() === true,
  )
}

/** The largest configuration that is read, in bytes. */
const MAX_CONFIG = 1_000_000

function lookAt(tree: Tree, path: string): GitEntry | undefined {
  const at = tree.at(path)
  const stats = lstatIfExists(at)
  if (stats === undefined) return undefined
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other'
  return { type, text: () => readText(at), bytes: () => readBytes(at, MAX_INDEX) }
}

/** The largest index that is read, in bytes: about three million paths. */
const MAX_INDEX = 500_000_000

/** Reads a file as text. One that is too large or no longer a file gives a text that nothing accepts. */
function readText(path: string): string {
  return Buffer.from(readBytes(path, MAX_CONFIG) ?? Buffer.of(0)).toString('utf8')
}

function readBytes(path: string, limit: number): Uint8Array | undefined {
  const stats = lstatSync(path)
  if (!stats.isFile() || stats.size > limit) return undefined
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return readAll(file, stats.size, limit)
  } finally {
    closeSync(file)
  }
}
