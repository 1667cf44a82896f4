import {
  appendFileSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ToolError } from '../core/call/result.ts'
import { errnoOf } from '../files/file-errors.ts'
import { findRepositories } from '../files/repositories/find-repositories.ts'
import { listHookPaths } from '../files/repositories/hook-paths.ts'
import { canHoldRuns, listRunsFolders, NAMES, nameRun, removeIfEmpty } from './overlay/run-folder.ts'
import type { SandboxOptions } from './sandbox-options.ts'

/** The read-only parts of a workspace while a run changes it directly. */
export interface Protection {
  readonly args: readonly string[]
  /** Descriptions of what a mount cannot protect. */
  readonly unguarded: readonly string[]
  /** Removes the mount points that were created. May be called twice. */
  release(): void
}

/** What is protected, where Haft's home is, and the environment of the person. */
type ProtectOptions = Pick<SandboxOptions, 'workspace' | 'home' | 'env' | 'ownPrograms'>

/** What git executes or trusts in a repository. The first two may exist empty; the last can be protected only when they exist. */
const FOLDERS = ['hooks', 'modules', 'worktrees']
const FILES = ['config', 'config.worktree']
const ONLY_WHERE_THERE = ['commondir', 'gitdir']
/** Refs that show one object in place of another, such as another hook. */
const REPLACEMENTS = 'refs/replace'

/** Makes `.haft`, programs that run outside the sandbox and what git executes read-only, `.git/hooks` and its settings even when missing, other folders of hooks where they are there, and mounts each `.git` so that it cannot be renamed. */
export function protectInPlace({ workspace, home, env, ownPrograms }: ProtectOptions): Protection {
  const runs = listRunsFolders(home, workspace).find((folder) => canHoldRuns(folder, workspace))
  if (runs === undefined)
    throw new ToolError(
      'UNAVAILABLE',
      `Haft must note what it makes in the workspace while a command works on it, and neither ${home} nor a temporary folder can hold that note. Nothing was run.`,
    )
  const points = createMountPoints(runs)
  try {
    const { args, unguarded } = guardWorkspace(workspace, env.HOME, points)
    const own = (ownPrograms?.() ?? []).map((path) => join(workspace, path)).filter(isThere)
    return { args: [...args, ...own.flatMap(bindReadOnly)], unguarded, release: points.release }
  } catch (error) {
    points.release()
    throw error
  }
}

function guardWorkspace(
  workspace: string,
  userHome: string | undefined,
  points: MountPoints,
): Omit<Protection, 'release'> {
  const own = join(workspace, '.git')
  const { found, all } = findRepositories(workspace)
  const real = found.filter((git) => !points.isOurs(git))
  const repositories = real.filter((git) => git !== own)
  const args = [
    ...(isThere(own) && !points.isOurs(own) ? guardRepository(own, points) : bindReadOnly(points.folder(own))),
    ...repositories.flatMap((git) => guardRepository(git, points)),
    ...[...new Set(real.flatMap((git) => listHookPaths(dirname(git), { workspace, userHome })))]
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
  /** True for the empty folder that another run uses as its mount point. */
  isOurs(path: string): boolean
  release(): void
}

/** Creates mount points. Each is recorded before it is made, in a run folder that the next start finds after a kill -9. */
function createMountPoints(runs: string): MountPoints {
  const run = join(runs, nameRun())
  mkdirSync(run, { mode: 0o700 })
  const others = new Set(listUsed(runs).keys())
  const record = (...words: string[]) => appendFileSync(join(run, NAMES.points), `${words.join('\0')}\n`)
  const use = (path: string, make: () => void): string => {
    const isThere = identityOf(path) !== undefined
    if (isThere && !others.has(path)) return path
    record(JSON.stringify(path))
    if (!isThere) make()
    record(JSON.stringify(path), identityOf(path) ?? '')
    return path
  }
  return {
    folder: (path) => use(path, () => mkdirSync(path)),
    file: (path) => use(path, () => closeSync(openSync(path, 'wx'))),
    isOurs: (path) => others.has(path) && readdirSync(path).length === 0,
    release() {
      removeMountPoints(run)
      rmSync(run, { recursive: true, force: true })
      removeIfEmpty(runs)
    },
  }
}

/** Removes the mount points that a run made, or that it shared with the one that did, unless another run uses them. What is not empty, or not what Haft made, stays. */
export function removeMountPoints(run: string): void {
  const made = readRecord(run)
  if (made.size === 0) return
  rmSync(join(run, NAMES.points), { force: true })
  const used = listUsed(dirname(run))
  for (const [path, identity] of [...made].reverse()) {
    const found = identityOf(path)
    // A run that was killed before it noted what it made leaves no identity.
    if (found === undefined || used.has(path) || (identity !== '' && identity !== found)) continue
    // Another run may have removed it, or somebody have filled it, a moment ago.
    unlessErrno(['ENOENT', 'ENOTEMPTY', 'EBUSY'], () => removeIfUnfilled(path))
  }
}

/** Returns the mount points that are in use, each with the identity of what was made. */
function listUsed(runs: string): Map<string, string> {
  return new Map(readdirSync(runs).flatMap((name) => [...readRecord(join(runs, name))]))
}

function readRecord(run: string): Map<string, string> {
  const lines = unlessErrno(['ENOENT'], () => readFileSync(join(run, NAMES.points), 'utf8'))
    ?.split('\n')
    .slice(0, -1)
  return new Map(
    lines?.map((line) => {
      const [point = '', identity = ''] = line.split('\0')
      return [JSON.parse(point), identity]
    }),
  )
}

/** Returns what tells an entry from a later one at the same path; undefined when nothing is there. */
function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.birthtimeNs}`
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Returns what the work returns; undefined when it fails with one of these errors. */
function unlessErrno<T>(expected: readonly string[], work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (expected.includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** Removes an empty folder or file. */
function removeIfUnfilled(path: string): void {
  const stats = lstatSync(path)
  if (stats.isFile() && stats.size === 0) unlinkSync(path)
  else if (stats.isDirectory() && readdirSync(path).length === 0) rmdirSync(path)
}
