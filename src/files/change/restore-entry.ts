import {
  chmodSync,
  constants,
  fstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import type { Kept, Replaced } from '../../core/ports/files.ts'
import { below, openBelow, pathOf } from '../descriptor.ts'
import { conflict, explainErrno } from '../file-errors.ts'
import type { WorkspaceRoot } from '../workspace-root.ts'
import type { Change } from './change.ts'
import { keepEntry } from './keep.ts'
import { stateOfKept } from './state.ts'
import { missingEntry, openCreatedEntry, openRestoredEntry, type TargetEntry } from './target-entry.ts'
import { type Content, writeBeside } from './temporary-file.ts'

/** What to restore, and where. */
export interface RestoreRequest {
  readonly given: string
  readonly kept: Kept | null
}

/** Restores a kept entry and reports it for undo like every change. A folder in the way is removed only when it is empty. */
export function restoreEntry(root: WorkspaceRoot, change: Change, { given, kept }: RestoreRequest): void {
  using entry = openToRestore(root, given, kept)
  try {
    const { record } = planRestore(change, entry, kept)
    change.call.signal.throwIfAborted()
    if (record) change.replaced({ ...record, call: change.call.id })
    runRestore(root, entry, kept)
  } catch (error) {
    throw explainErrno(error, given)
  }
}

/** Opens the entry to restore. Throws when its folder is missing, when it may not be restored, or when nothing was kept. */
export function openToRestore(root: WorkspaceRoot, given: string, kept: Kept | null): TargetEntry {
  const entry = kept === null ? openCreatedEntry(root, given) : openRestoredEntry(root, given, kept)
  if (entry === undefined) throw missingEntry(root, given)
  if (kept?.type !== 'file' || kept.bytes !== null) return entry
  entry[Symbol.dispose]()
  throw conflict(given, 'was too large to keep or could not be read, so it cannot be restored.', 'NOT_KEPT')
}

/** What restoring an entry replaces. */
export interface RestorePlan {
  /** What is there now. */
  readonly stats: Stats | undefined
  /** Where that can be read. */
  readonly where: string
  /** What to record; undefined where nothing changes. */
  readonly record: Omit<Replaced, 'call'> | undefined
}

/** Reads what restoring would replace. */
export function planRestore(
  change: Change,
  { folder, name, path, stats }: TargetEntry,
  kept: Kept | null,
): RestorePlan {
  const where = below(folder, name)
  const before = stats ? keepEntry({ folder, name, stats }, change.keptLimit) : null
  if (kept?.type !== 'directory' || before?.type !== 'directory')
    return { stats, where, record: { path, before, after: stateAfter(kept) } }
  return { stats, where, record: before.mode === kept.mode ? undefined : { path, before, after: 'folder' } }
}

/** Returns the state of a path once an entry is restored there, in the form of `Replaced.after`. */
export function stateAfter(kept: Kept | null): string | null {
  return (kept && stateOfKept(kept)) ?? null
}

/** Puts a file at an entry in another way than beside it; false where that is not possible. */
type PutFile = (entry: TargetEntry, content: Content) => boolean

/** Restores an entry; what it replaces was recorded. */
export function runRestore(root: WorkspaceRoot, entry: TargetEntry, kept: Kept | null, put?: PutFile): void {
  if (kept?.type === 'file') {
    const content = contentOf(entry, kept)
    if (entry.stats?.isDirectory() || !put?.(entry, content)) restoreFile(root, entry, content)
  } else if (kept?.type === 'directory' && entry.stats?.isDirectory()) restoreMode(entry, kept.mode)
  else {
    if (entry.stats) removeOne(entry)
    if (kept) createEntry(below(entry.folder, entry.name), kept)
  }
}

/** Restores the mode of an existing folder; its contents stay. */
function restoreMode({ folder, name }: TargetEntry, mode: number): void {
  using entry = openBelow(folder, name, constants.O_DIRECTORY)
  if ((statSync(pathOf(entry)).mode & 0o7777) !== mode) chmodSync(pathOf(entry), mode)
}

/** A restored file belongs to the owner of the file that it replaces, else to the owner of its folder. */
function contentOf({ folder, stats }: TargetEntry, { bytes, mode }: Extract<Kept, { type: 'file' }>): Content {
  const { uid, gid } = stats?.isFile() ? stats : fstatSync(folder.fd)
  return { bytes: bytes ?? new Uint8Array(), like: { mode, uid, gid } }
}

/** Restores a file atomically: written beside its path, then renamed. */
function restoreFile(root: WorkspaceRoot, entry: TargetEntry, content: Content): void {
  writeBeside(root, entry, content, (file) => {
    if (entry.stats?.isDirectory()) removeOne(entry)
    renameSync(file.path, below(entry.folder, entry.name))
  })
}

function removeOne({ folder, name, stats }: TargetEntry): void {
  if (stats?.isDirectory()) rmdirSync(below(folder, name))
  else unlinkSync(below(folder, name))
}

function createEntry(path: string, kept: Exclude<Kept, { type: 'file' }>): void {
  if (kept.type === 'symlink') symlinkSync(kept.target, path)
  else {
    mkdirSync(path)
    chmodSync(path, kept.mode)
  }
}
