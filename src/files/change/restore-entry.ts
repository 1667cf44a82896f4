import { chmodSync, constants, mkdirSync, renameSync, rmdirSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import type { Kept } from '../../core/ports/files.ts'
import { below, openBelow, pathOf } from '../descriptor.ts'
import { conflict, explainErrno } from '../file-errors.ts'
import { entryOf, type Space } from '../space.ts'
import type { Change } from './change.ts'
import { keepEntry } from './keep.ts'
import { missingPlace, openMadePlace, openPlace, type Place } from './place.ts'
import { stateOfKept } from './state.ts'
import { writeBeside } from './temporary-file.ts'

/** What is to be put back where. */
export interface Restoring {
  readonly given: string
  readonly kept: Kept | null
}

/** Puts back what was kept, told for undo as every change is; a folder in the way goes only when it is empty. */
export function restoreEntry(space: Space, change: Change, { given, kept }: Restoring): void {
  using place = kept === null ? openMadePlace(space, given) : openPlace(space, given)
  if (place === undefined) throw missingPlace(space, given)
  if (kept?.type === 'file' && kept.bytes === null)
    throw conflict(given, 'was too large to be kept or could not be read, so it cannot be put back.', 'NOT_KEPT')
  try {
    if (kept?.type === 'directory' && place.stats?.isDirectory()) restoreMode(change, place, kept.mode)
    else restore(space, change, { place, kept })
  } catch (error) {
    throw explainErrno(error, given)
  }
}

interface Putting {
  readonly place: Place
  readonly kept: Kept | null
}

function restore(space: Space, change: Change, { place, kept }: Putting): void {
  tell(change, place, kept)
  if (kept?.type === 'file') putBack(space, place, kept)
  else {
    if (place.stats) removeOne(place)
    if (kept) make(below(place.folder, place.name), kept)
  }
}

function tell(change: Change, { folder, name, path }: Place, kept: Kept | null): void {
  const stats = entryOf(folder, name)
  const before = stats ? keepEntry({ folder, name, stats }, change.keptLimit) : null
  change.call.signal.throwIfAborted()
  change.replaced({ call: change.call.id, path, before, after: (kept && stateOfKept(kept)) ?? null })
}

/** A folder that is there keeps what is in it. */
function restoreMode(change: Change, { folder, name, path }: Place, mode: number): void {
  using entry = openBelow(folder, name, constants.O_DIRECTORY)
  const now = statSync(pathOf(entry)).mode & 0o7777
  if (now === mode) return
  change.call.signal.throwIfAborted()
  change.replaced({ call: change.call.id, path, before: { type: 'directory', mode: now }, after: 'folder' })
  chmodSync(pathOf(entry), mode)
}

/** Written beside its place and renamed, so that it is there whole or not at all. */
function putBack(space: Space, place: Place, { bytes, mode }: Extract<Kept, { type: 'file' }>): void {
  writeBeside(space, place, { bytes: bytes ?? new Uint8Array(), like: { mode } }, (file) => {
    if (place.stats?.isDirectory()) removeOne(place)
    renameSync(file.path, below(place.folder, place.name))
  })
}

function removeOne({ folder, name, stats }: Place): void {
  if (stats?.isDirectory()) rmdirSync(below(folder, name))
  else unlinkSync(below(folder, name))
}

function make(path: string, kept: Exclude<Kept, { type: 'file' }>): void {
  if (kept.type === 'symlink') symlinkSync(kept.target, path)
  else {
    mkdirSync(path)
    chmodSync(path, kept.mode)
  }
}
