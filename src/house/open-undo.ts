import type { Snapshot } from '../core/snapshot.ts'
import type { Store } from '../core/store.ts'
import type { LastChange } from '../core/undo-store.ts'
import { createRegistry } from '../registry/registry.ts'
import { findLastChange, findUndoableCalls } from '../undo/find-undoable.ts'
import { createUndoTool } from '../undo/undo-tool.ts'

/** How a host finds what can be undone in its workspace, and with which tool it is. */
export interface Undo {
  undoable(id?: string): readonly string[]
  lastChange(): LastChange
  /** A snapshot of the one tool that undoes. */
  snapshot(): Snapshot
}

/** Opens undo over a log. */
export function openUndo(store: Store, workspace: string): Undo {
  const lastChange = () => findLastChange(store, workspace)
  return {
    lastChange,
    undoable(id) {
      if (id !== undefined) return findUndoableCalls(store, id)
      const { change } = lastChange()
      return change ? [change.call] : []
    },
    snapshot() {
      const registry = createRegistry()
      registry.register(createUndoTool(store))
      return registry.snapshot()
    },
  }
}
