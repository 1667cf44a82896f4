import type { LastChange } from '../core/call/last-change.ts'
import type { Result } from '../core/call/result.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { KeptReplaced } from '../core/ports/undo-store.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import { createFiles } from '../files/files.ts'
import { createRegistry } from '../registry/registry.ts'
import { findLastChange, findUndoableCalls } from '../undo/find-undoable.ts'
import { rollBackUndos } from '../undo/roll-back.ts'
import { createUndoTool, UNDO } from '../undo/undo-tool.ts'
import type { CallOptions, StartedCall } from './calls/call-starter.ts'

/** Finds and undoes changes in a workspace. */
export interface Undo {
  /** Returns the calls that undoing this call or session would undo, the newest first; without an id, the last call in this workspace that can be undone. */
  undoable(id?: string): Promise<readonly string[]>
  /** Returns the last change in this workspace that can be undone, and later changes that cannot. */
  lastChange(): Promise<LastChange>
  /** Returns what the changes of a call replaced, in order. */
  replacedBy(call: string): readonly KeptReplaced[]
  /** Restores the files that these calls changed, as one call through the pipeline. It asks for approval and can itself be undone. */
  undo(calls: readonly string[], options?: CallOptions & { readonly force?: boolean }): Promise<Result>
}

interface UndoParts {
  readonly workspace: string
  readonly storage: Storage
  start(name: string, args: unknown, options: CallOptions): StartedCall
}

/** Makes undo for one workspace. */
export function createUndo({ workspace, storage, start }: UndoParts): Undo {
  const lastChange = () => findLastChange(storage, workspace)
  return {
    lastChange,
    async undoable(id) {
      if (id !== undefined) return findUndoableCalls(storage, id)
      const { change } = await lastChange()
      return change ? [change.call] : []
    },
    replacedBy: storage.undo.by,
    undo: (calls, { force = false, ...given } = {}) =>
      start(UNDO, { calls: [...calls], ...(force && { force }) }, { ...given, snapshot: undoSnapshot(storage) }).result,
  }
}

/** Rolls back what an undo of a dead process had restored by then, before any call; a warning names what was changed since. */
export function recoverUndos(place: { workspace: string; keptLimit: number; undo: Storage['undo'] }): void {
  const { workspace, keptLimit, undo } = place
  const left = rollBackUndos({
    workspace,
    undo,
    files: (id) =>
      createFiles({ workspace, keptLimit, replaced: () => undefined }).forCall({
        id,
        expects: {},
        signal: new AbortController().signal,
      }),
  })
  if (left.length > 0)
    process.emitWarning(
      `an interrupted undo could not be rolled back completely: ${left.join('; ')}`,
      'HaftRecoveryWarning',
    )
}

function undoSnapshot({ undo }: Storage): Snapshot {
  const registry = createRegistry()
  registry.register(createUndoTool(undo))
  return registry.snapshot()
}
