import { chmodSync, constants, mkdirSync, renameSync, rmdirSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import type { Kept } from '../../core/ports/files.ts'
import { below, openBelow, pathOf } from '../descriptor.ts'
import { conflict, explainErrno } from '../file-errors.ts'
import { entryOf, type WorkspaceRoot } from '../workspace-root.ts'
import type { Change } from './change.ts'
import { keepEntry } from './keep.ts'
import { stateOfKept } from './state.ts'
import { missingEntry, openCreatedEntry, openRestoredEntry, type TargetEntry } from './target-entry.ts'
import { writeBeside } from './temporary-file.ts'

/** What to restore, and where. */
export interface RestoreRequest {
  readonly given: string
  readonly kept: Kept | null
}

/** Restores a kept entry and reports it for undo like every change. A folder in the way is removed only when it is empty. */
export function restoreEntry(root: WorkspaceRoot, change: Change, { given, kept }: RestoreRequest): void {
  using entry = kept === null ? openCreatedEntry(root, given) : openRestoredEntry(root, given, kept)
  if (entry === undefined) throw missingEntry(root, given)
  if (kept?.type === 'file' && kept.bytes === null)
    throw conflict(given, 'was too large to keep or could not be read, so it cannot be restored.', 'NOT_KEPT')
  try {
    if (kept?.type === 'directory' && entry.stats?.isDirectory()) restoreMode(change, entry, kept.mode)
    else restore(root, change, { entry, kept })
  } catch (error) {
    throw explainErrno(error, given)
  }
}

interface EntryRestore {
  readonly entry: TargetEntry
  readonly kept: Kept | null
}

function restore(root: WorkspaceRoot, change: Change, { entry, kept }: EntryRestore): void {
  reportReplaced(change, entry, kept)
  if (kept?.type === 'file') restoreFile(root, entry, kept)
  else {
    if (entry.stats) removeOne(entry)
    if (kept) createEntry(below(entry.folder, entry.name), kept)
  }
}

function reportReplaced(change: Change, { folder, name, path }: TargetEntry, kept: Kept | null): void {
  const stats = entryOf(folder, name)
  const before = stats ? keepEntry({ folder, name, stats }, change.keptLimit) : null
  change.call.signal.throwIfAborted()
  change.replaced({ call: change.call.id, path, before, after: (kept && stateOfKept(kept)) ?? null })
}

/** Restores the mode of an existing folder; its contents stay. */
function restoreMode(change: Change, { folder, name, path }: TargetEntry, mode: number): void {
  using entry = openBelow(folder, name, constants.O_DIRECTORY)
  const now = statSync(pathOf(entry)).mode & 0o7777
  if (now === mode) return
  change.call.signal.throwIfAborted()
  change.replaced({ call: change.call.id, path, before: { type: 'directory', mode: now }, after: 'folder' })
  chmodSync(pathOf(entry), mode)
}

/** Restores a file atomically: written beside its path, then renamed. */
function restoreFile(root: WorkspaceRoot, entry: TargetEntry, { bytes, mode }: Extract<Kept, { type: 'file' }>): void {
  writeBeside(root, entry, { bytes: bytes ?? new Uint8Array(), like: { mode } }, (file) => {
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
