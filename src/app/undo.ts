import type { CheckReport } from '../core/call/check-report.ts'
import type { LastChange } from '../core/call/last-change.ts'
import type { Result } from '../core/call/result.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { KeptReplaced } from '../core/ports/undo-store.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import { createFiles } from '../files/files.ts'
import { createRegistry } from '../registry/registry.ts'
import { findLastChange, findUndoableCalls } from '../undo/find-undoable.ts'
import { type RollBackParts, rollBackUndo, rollBackUndos } from '../undo/roll-back.ts'
import { createUndoTool, UNDO } from '../undo/undo-tool.ts'
import type { CallOptions, CheckOptions, StartedCall } from './calls/call-starter.ts'

/** Finds and undoes changes in a workspace. */
export interface Undo {
  /** Returns the calls that undoing this call or session would undo, the newest first; without an id, the last call in this workspace that can be undone. */
  undoable(id?: string): Promise<readonly string[]>
  /** Returns the last change in this workspace that can be undone, and later changes that cannot. */
  lastChange(): Promise<LastChange>
  /** Returns what the changes of a call replaced, in order. */
  replacedBy(call: string): readonly KeptReplaced[]
  /** Shows what undoing these calls would restore, as the preview of a check. Changes nothing. */
  previewUndo(calls: readonly string[], options?: { readonly force?: boolean }): Promise<CheckReport>
  /** Restores the files that these calls changed, as one call through the pipeline. It asks for approval and can itself be undone. */
  undo(calls: readonly string[], options?: CallOptions & { readonly force?: boolean }): Promise<Result>
}

interface UndoParts {
  check(name: string, args: unknown, options: CheckOptions): Promise<CheckReport>
  readonly workspace: string
  readonly storage: Storage
  readonly keptLimit: number
  start(name: string, args: unknown, options: CallOptions): StartedCall
}

/** Makes undo for one workspace. */
export function createUndo({ workspace, storage, keptLimit, start, check }: UndoParts): Undo {
  const parts = rollBackParts({ workspace, keptLimit, undo: storage.undo })
  const lastChange = () => findLastChange(storage, workspace)
  return {
    lastChange,
    async undoable(id) {
      if (id !== undefined) return findUndoableCalls(storage, id)
      const { change } = await lastChange()
      return change ? [change.call] : []
    },
    replacedBy: storage.undo.by,
    previewUndo: (calls, { force = false } = {}) =>
      check(UNDO, { calls: [...calls], ...(force && { force }) }, { snapshot: undoSnapshot(parts, storage) }),
    undo: (calls, { force = false, ...given } = {}) =>
      start(UNDO, { calls: [...calls], ...(force && { force }) }, { ...given, snapshot: undoSnapshot(parts, storage) })
        .result,
  }
}

interface UndoLocation {
  readonly workspace: string
  readonly keptLimit: number
  readonly undo: Storage['undo']
}

/** Returns what rolling back needs. Its changes are not recorded. */
function rollBackParts({ workspace, keptLimit, undo }: UndoLocation): RollBackParts {
  const options = { workspace, keptLimit, replaced: () => undefined }
  return {
    workspace,
    undo,
    files: (id) => createFiles(options).forCall({ id, expects: {}, signal: new AbortController().signal }),
  }
}

/** Rolls back what an undo of a dead process had restored by then, before any call; a warning names what was changed since. */
export function recoverUndos(location: UndoLocation): void {
  const left = rollBackUndos(rollBackParts(location))
  if (left.length > 0)
    process.emitWarning(
      `an interrupted undo could not be rolled back completely: ${left.join('; ')}`,
      'HaftRecoveryWarning',
    )
}

function undoSnapshot(parts: RollBackParts, { undo }: Storage): Snapshot {
  const registry = createRegistry()
  registry.register(createUndoTool({ ...undo, rollBack: (call) => rollBackUndo(call, parts) }))
  return registry.snapshot()
}
