import { messageOf, ToolError } from '../core/call/result.ts'
import type { Files, Replaced } from '../core/ports/files.ts'
import type { UndoStore } from '../core/ports/undo-store.ts'
import { foundOf } from './plan-undo.ts'

/** What rolling back needs: the records, and files whose changes are not recorded again. */
export interface RollBackParts {
  readonly workspace: string
  readonly undo: Pick<UndoStore, 'by' | 'forget' | 'interruptedUndos'>
  files(call: string): Files
}

/** Rolls back every undo that a dead process left unfinished, so that the files are as before it and it can be repeated. Returns what could not be restored because it was changed since. Repeatable: what is back already is left alone. */
export function rollBackUndos(parts: RollBackParts): string[] {
  return parts.undo.interruptedUndos(parts.workspace).flatMap((call) => rollBackUndo(call, parts))
}

/** Takes back what one undo has done so far, and forgets it. Returns what could not be restored. */
export function rollBackUndo(call: string, { workspace, undo, files }: RollBackParts): string[] {
  const access = files(call)
  const records = undo.by(call).filter((record) => record.workspace === workspace)
  access.sweep(records.map(({ path }) => path))
  const problems = records.reverse().flatMap((record) => rollBack(record, access))
  undo.forget(call)
  return problems
}

/** Takes one recorded change back. It was recorded before it was made, so it may not have happened. */
function rollBack(record: Replaced, files: Files): string[] {
  const { path } = record
  try {
    if (record.movedFrom !== undefined) return moveBack(record, record.movedFrom, files)
    const now = files.left(path)
    const { before, after } = record
    const isMadeFolder = before === null && after === null
    if (isMadeFolder) return now === 'folder' ? removeFolder(path, files) : []
    const isMode = before?.type === 'directory' && after === 'folder'
    // Where both states are the same, only the mode was changed, which the state does not tell.
    if (!isMode && now !== after && now === foundOf(before)) return []
    // Nothing is there where one kind of entry was about to take the place of another.
    if (now !== after && now !== null) return [`${path} was changed since`]
    files.restore(path, before)
    return []
  } catch (thrown) {
    if (thrown instanceof ToolError) return [`${path}: ${messageOf(thrown)}`]
    throw thrown
  }
}

function moveBack({ path, before }: Replaced, movedFrom: string, files: Files): string[] {
  if (files.left(path) === null || files.left(movedFrom) !== null) return []
  files.move(path, movedFrom)
  if (before !== null) files.restore(path, before)
  return []
}

function removeFolder(path: string, files: Files): string[] {
  files.restoreAll([{ path, kept: null }])
  return []
}
