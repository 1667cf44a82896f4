import type { Stats } from 'node:fs'
import { ToolError } from '../core/call/result.ts'
import type {
  FileFacts,
  FindDeny,
  GuardedFiles,
  KnownStates,
  ReadFiles,
  Replaced,
  StateOf,
  Target,
} from '../core/ports/files.ts'
import { isOwnProgram, isTrustedPath } from '../core/rules/trusted-files.ts'
import type { Change } from './change/change.ts'
import { deleteEntry } from './change/delete-entry.ts'
import { KEPT_LIMIT } from './change/keep.ts'
import { moveEntry } from './change/move-entry.ts'
import { restoreAll } from './change/restore-all.ts'
import { restoreEntry } from './change/restore-entry.ts'
import { stateOfEntry } from './change/state.ts'
import { sweepFolder } from './change/sweep-folder.ts'
import {
  checkNewPath,
  missingEntry,
  openEntry,
  openLeftEntry,
  openWriteTarget,
  type TargetEntry,
} from './change/target-entry.ts'
import { refuseUnwritable, writeFile } from './change/write-file.ts'
import { explainErrno } from './file-errors.ts'
import { createFolderCache } from './folder-cache.ts'
import { isThereInside, openFolder, refuseDenied } from './open-inside.ts'
import { listFolder } from './read/list-folder.ts'
import { readContent, readTextOf } from './read/read-content.ts'
import { readLinesOf } from './read/read-lines.ts'
import {
  type AsideFolders,
  factsOf,
  openWorkspaceRoot,
  pathInside,
  splitPath,
  typeOf,
  type WorkspaceRoot,
} from './workspace-root.ts'

/** The options of `createFiles`. */
export interface FilesOptions {
  readonly workspace: string
  /** The largest file kept for undo, in bytes; default 50 MB. */
  readonly keptLimit?: number
  /** Called before each change with what it replaces; when it throws, the change does not happen. */
  replaced(record: Replaced): void
  /** The same for many changes at once, which is much faster. */
  replacedAll?(records: readonly Replaced[]): void
  /** Where undo moves folders to be removed later; without it they are removed at once. */
  readonly aside?: AsideFolders
  /** Programs of the workspace that run outside the sandbox, relative to it. */
  ownPrograms?(): readonly string[]
}

/** Opens the guarded access to a workspace's files, the only one that tools get. Throws when the workspace does not exist. */
export function createFiles(options: FilesOptions): GuardedFiles {
  const { workspace, keptLimit = KEPT_LIMIT, replaced, replacedAll, aside, ownPrograms } = options
  const root: WorkspaceRoot = {
    ...openWorkspaceRoot(workspace),
    ...(aside && { aside }),
    ...(ownPrograms && { ownPrograms }),
  }
  const reader = (findDeny?: FindDeny) => createReadFiles(findDeny ? { ...root, findDeny } : root, keptLimit)
  return {
    looking: (findDeny) => ({
      ...reader(findDeny),
      write: refuseChange,
      delete: refuseChange,
      move: refuseChange,
      restore: refuseChange,
      restoreAll: refuseChange,
      sweep: refuseChange,
    }),
    forCall(call) {
      const change: Change = { call, keptLimit, replaced, ...(replacedAll && { replacedAll }) }
      return {
        ...reader(call.findDeny),
        write: (given, bytes, { createParents = true } = {}) =>
          explained(given, () => writeFile(root, change, { given, bytes, createParents })),
        delete: (given, { recursive = false } = {}) =>
          explained(given, () => deleteEntry(root, change, { given, recursive })),
        move: (from, to, { overwrite = false } = {}) =>
          explained(to, () => moveEntry(root, change, { from, to, overwrite })),
        restore: (given, kept) => explained(given, () => restoreEntry(root, change, { given, kept })),
        restoreAll: (entries) => restoreAll(root, change, entries),
        sweep: (paths) => sweepBeside(root, paths),
      }
    },
  }
}

function refuseChange(): never {
  throw new ToolError('EXECUTION_ERROR', 'A tool may change files only in execute, not in prepare.')
}

function createReadFiles(root: WorkspaceRoot, keptLimit: number): ReadFiles {
  return {
    keptLimit,
    existing: (given) => explained(given, () => findExisting(root, given)),
    changeable: (given) => explained(given, () => findChangeable(root, given)),
    writable: (given) => explained(given, () => findWritable(root, given)),
    isThere: (given) => explained(given, () => isThereInside(root, pathInside(root, given))),
    read: (given, limit) => explained(given, () => readContent(root, given, limit)),
    readText: (given, limit) => explained(given, () => readTextOf(root, given, limit)),
    readLines: (given, lines) => explained(given, () => readLinesOf(root, given, lines)),
    state: (given, of) => explained(given, () => findState(root, given, of)),
    left: (given) => explained(given, () => findLeft(root, given)),
    withLeft: (work, known) => withLeft(root, work, known),
    diff: (given, bytes) =>
      explainedLater(given, async () => (await import('./change/diff-file.ts')).diffFile(root, given, bytes)),
    list: (given, options) => explained(given, () => listFolder(root, given, options)),
    walk: (given, options) =>
      explainedLater(given, async () => (await import('./read/walk-tree.ts')).walkTree(root, given, options)),
    search: (query, found) =>
      explainedLater(query.path, async () => (await import('./search/search-text.ts')).searchText(root, query, found)),
  }
}

/** Runs a read or a change and turns a system error into a ToolError that names the given path. */
function explained<T>(given: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainErrno(error, given)
  }
}

async function explainedLater<T>(given: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainErrno(error, given)
  }
}

function findExisting(root: WorkspaceRoot, given: string): FileFacts {
  using entry = openEntry(root, given)
  if (entry?.stats === undefined) throw missingEntry(root, given)
  return factsOfEntry(entry, entry.stats)
}

function findTarget(root: WorkspaceRoot, given: string, entry: TargetEntry | undefined): Target {
  const path = entry?.path ?? checkNewPath(root, given)
  const isTrusted = isTrustedPath(path) || isOwnProgram(path, root.ownPrograms?.() ?? [])
  if (entry === undefined) return { path, current: undefined, hasFolder: false, isTrusted }
  return { path, current: entry.stats && factsOfEntry(entry, entry.stats), hasFolder: true, isTrusted }
}

function findWritable(root: WorkspaceRoot, given: string): Target {
  using entry = openWriteTarget(root, given)
  if (entry) refuseUnwritable(entry, given)
  return findTarget(root, given, entry)
}

function findChangeable(root: WorkspaceRoot, given: string): Target {
  using entry = openEntry(root, given)
  return findTarget(root, given, entry)
}

function factsOfEntry({ path }: TargetEntry, stats: Stats): FileFacts {
  return factsOf(path, typeOf(stats) ?? 'file', stats)
}

function findState(root: WorkspaceRoot, given: string, of: StateOf): string | null {
  using entry = of === 'content' ? openWriteTarget(root, given) : openEntry(root, given)
  if (of === 'content' && entry) refuseDenied(root, given, entry.path, 'change')
  return entry?.stats ? stateOf(entry, entry.stats, given) : null
}

function stateOf({ folder, name }: TargetEntry, stats: Stats, given: string): string {
  try {
    return stateOfEntry(folder, name, stats)
  } catch (error) {
    throw explainErrno(error, given)
  }
}

/** A folder that is gone holds nothing to sweep. */
function sweepBeside(root: WorkspaceRoot, paths: readonly string[]): void {
  for (const folder of new Set(paths.map((path) => splitPath(path).folder))) {
    try {
      using opened = openFolder(root, folder)
      sweepFolder(root, opened)
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
    }
  }
}

function withLeft<T>(root: WorkspaceRoot, work: (left: ReadFiles['left']) => T, known?: KnownStates): T {
  using folders = createFolderCache()
  const cached = { ...root, folders }
  return work((given) => explained(given, () => findLeft(cached, given, known)))
}

/** How recent the last change of a file may be, in milliseconds, for another one to have the same time. */
const SAME_TIME = 50

function findLeft(root: WorkspaceRoot, given: string, known?: KnownStates): string | null {
  using entry = openLeftEntry(root, given)
  if (entry?.stats === undefined) return null
  if (entry.stats.isDirectory()) return 'folder'
  const { ino, size, mode, mtimeMs, ctimeMs } = entry.stats
  const facts = `${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs}`
  const seen = known?.get(given)
  if (seen?.facts === facts) return seen.state
  const isSettled = Date.now() - ctimeMs > SAME_TIME
  const state = stateOf(entry, entry.stats, given)
  if (isSettled) known?.set(given, { facts, state })
  return state
}
