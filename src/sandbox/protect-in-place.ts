import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findRepositories } from '../files/repositories/find-repositories.ts'
import { listHookPaths } from '../files/repositories/hook-paths.ts'

/** The read-only parts of a workspace while a run changes it directly. */
export interface Protection {
  readonly args: readonly string[]
  /** Descriptions of what a mount cannot protect. */
  readonly unguarded: readonly string[]
  /** Removes the mount points that were created. May be called twice. */
  release(): void
}

/** What git executes or trusts in a repository. The first two may exist empty; the last can be protected only when they exist. */
const FOLDERS = ['hooks', 'modules', 'worktrees']
const FILES = ['config', 'config.worktree']
const ONLY_WHERE_THERE = ['commondir', 'gitdir']
/** Refs that show one object in place of another, such as another hook. */
const REPLACEMENTS = 'refs/replace'

/** What of the person's is protected beside repositories. */
interface OwnFiles {
  /** Their home folder, whose git configuration may name hooks of the workspace. */
  readonly userHome: string | undefined
  /** Programs of the workspace that run outside the sandbox, relative to it. */
  readonly ownPrograms: readonly string[]
}

/** Makes `.haft`, programs that run outside the sandbox and what git executes read-only, `.git/hooks` and its settings even when missing, other folders of hooks where they are there, and mounts each `.git` so that it cannot be renamed. */
export function protectInPlace(workspace: string, { userHome, ownPrograms }: OwnFiles): Protection {
  const points = createMountPoints()
  const own = join(workspace, '.git')
  const { found, all } = findRepositories(workspace)
  const real = found.filter((git) => !isOurs(git))
  const repositories = real.filter((git) => git !== own)
  const args = [
    ...(isThere(own) && !isOurs(own) ? guardRepository(own, points) : bindReadOnly(points.folder(own))),
    ...repositories.flatMap((git) => guardRepository(git, points)),
    ...[...new Set(real.flatMap((git) => listHookPaths(dirname(git), { workspace, userHome })))]
      .filter(isThere)
      .flatMap(bindReadOnly),
    ...ownPrograms
      .map((path) => join(workspace, path))
      .filter(isThere)
      .flatMap(bindReadOnly),
    ...bindReadOnly(points.folder(join(workspace, '.haft'))),
  ]
  const withoutCommon = real.filter((git) => lstatSync(git).isDirectory() && !isThere(join(git, 'commondir')))
  return {
    args,
    unguarded: [
      ...withoutCommon.slice(0, 5).map((git) => `a new ${relative(workspace, git)}/commondir`),
      'repositories that the command creates in subfolders',
      ...(all ? [] : ['deeply nested repositories of this large workspace']),
    ],
    release: points.release,
  }
}

const bindReadOnly = (path: string): string[] => ['--ro-bind', path, path]

/** Returns the mounts for one repository. A `.git` file, which points elsewhere, is read-only. */
function guardRepository(git: string, points: MountPoints): string[] {
  if (!lstatSync(git).isDirectory()) return bindReadOnly(git)
  return [
    ...['--bind', git, git],
    ...FOLDERS.flatMap((name) => bindReadOnly(points.folder(join(git, name)))),
    ...FILES.flatMap((name) => bindReadOnly(points.file(join(git, name)))),
    ...(isThere(join(git, 'refs')) ? bindReadOnly(points.folder(join(git, REPLACEMENTS))) : []),
    ...ONLY_WHERE_THERE.map((name) => join(git, name))
      .filter(isThere)
      .flatMap(bindReadOnly),
  ]
}

interface MountPoints {
  /** Returns the path after creating an empty folder if nothing exists there. */
  folder(path: string): string
  /** Returns the path after creating an empty file if nothing exists there. */
  file(path: string): string
  release(): void
}

function createMountPoints(): MountPoints {
  const made: (() => void)[] = []
  return {
    folder(path) {
      if (!isThere(path)) mkdirSync(path)
      else if (!users.has(path)) return path
      made.push(usePoint(path, () => rmdirSync(path)))
      return path
    },
    file(path) {
      if (!isThere(path)) closeSync(openSync(path, 'wx'))
      else if (!users.has(path)) return path
      made.push(usePoint(path, () => lstatSync(path).size === 0 && unlinkSync(path)))
      return path
    },
    release() {
      for (const remove of made.splice(0).reverse()) remove()
    },
  }
}

/** How many runs of this process use each created mount point; the last one removes it. */
const users = new Map<string, number>()

/** Registers a use; returns a function that ends it. */
function usePoint(path: string, remove: () => unknown): () => void {
  users.set(path, (users.get(path) ?? 0) + 1)
  return () => {
    const left = (users.get(path) ?? 1) - 1
    if (left > 0) users.set(path, left)
    else {
      users.delete(path)
      removeQuietly(remove)
    }
  }
}

/** True for the empty folder that another run created as its mount point. */
function isOurs(path: string): boolean {
  return users.has(path) && readdirSync(path).length === 0
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Ignores errors when another run already removed it or the user added a file. */
function removeQuietly(remove: () => unknown): void {
  try {
    remove()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTEMPTY', 'EBUSY'].includes(`${error.code}`)))
      throw error
  }
}
