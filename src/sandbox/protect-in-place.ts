import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findRepositories } from '../files/repositories/find-repositories.ts'

/** What of the workspace is read-only while a run has the workspace itself. */
export interface Protection {
  readonly args: readonly string[]
  /** What a mount cannot guard, in words. */
  readonly unguarded: readonly string[]
  /** Takes away the mount points that had to be made; may be called twice. */
  release(): void
}

/** What git executes or trusts in a repository and may be there empty; the rest can be guarded only where it is there already. */
const FOLDERS = ['hooks', 'modules', 'worktrees']
const FILES = ['config', 'config.worktree']
const ONLY_WHERE_THERE = ['commondir', 'gitdir']

/** Makes `.haft` and what git executes read-only, also where they are missing, and each `.git` a mount so that it cannot be renamed away. */
export function protectInPlace(workspace: string): Protection {
  const points = createMountPoints()
  const own = join(workspace, '.git')
  const { found, all } = findRepositories(workspace)
  const real = found.filter((git) => !isOurs(git))
  const repositories = real.filter((git) => git !== own)
  const args = [
    ...(isThere(own) && !isOurs(own) ? guardRepository(own, points) : shut(points.folder(own))),
    ...repositories.flatMap((git) => guardRepository(git, points)),
    ...shut(points.folder(join(workspace, '.haft'))),
  ]
  const withoutCommon = real.filter((git) => lstatSync(git).isDirectory() && !isThere(join(git, 'commondir')))
  return {
    args,
    unguarded: [
      ...withoutCommon.slice(0, 5).map((git) => `a new ${relative(workspace, git)}/commondir`),
      'repositories that the command makes in folders',
      ...(all ? [] : ['repositories deep in this large workspace']),
    ],
    release: points.release,
  }
}

const shut = (path: string): string[] => ['--ro-bind', path, path]

/** A `.git` that is a file leads elsewhere and is shut whole. */
function guardRepository(git: string, points: MountPoints): string[] {
  if (!lstatSync(git).isDirectory()) return shut(git)
  return [
    ...['--bind', git, git],
    ...FOLDERS.flatMap((name) => shut(points.folder(join(git, name)))),
    ...FILES.flatMap((name) => shut(points.file(join(git, name)))),
    ...ONLY_WHERE_THERE.map((name) => join(git, name))
      .filter(isThere)
      .flatMap(shut),
  ]
}

interface MountPoints {
  /** The path, after making an empty folder there where nothing is. */
  folder(path: string): string
  /** The same with an empty file. */
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

/** How many runs of this process use each mount point that was made for them: the last one takes it away. */
const users = new Map<string, number>()

/** Counts a run in; returns how to count it out. */
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

/** True for the empty folder that another run made as its mount point. */
function isOurs(path: string): boolean {
  return users.has(path) && readdirSync(path).length === 0
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Another run may have taken it away already, or the user have put something in. */
function removeQuietly(remove: () => unknown): void {
  try {
    remove()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTEMPTY', 'EBUSY'].includes(`${error.code}`)))
      throw error
  }
}
