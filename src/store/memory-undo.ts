import type { CallRecord } from '../core/call-record.ts'
import type { CallFilter } from '../core/store.ts'
import type { UndoMark, UndoStore, UnkeptChange } from '../core/undo-store.ts'
import { DEFAULT_LIMIT } from './match-call.ts'

/** What a store in memory knows of undoing, given how it lists calls. */
export function createMemoryUndo(calls: (filter: CallFilter) => readonly CallRecord[]): UndoStore {
  const unkept = new Map<string, UnkeptChange>()
  const claims = new Map<string, string>()
  const findMark = (call: string): UndoMark | undefined => {
    const undo = claims.get(call)
    const [record] = undo === undefined ? [] : calls({ call: undo, limit: 1 })
    if (undo === undefined || !record) return undefined
    if (record.outcome === null) return { call, undo, isRunning: true }
    const isTakenBack = findMark(undo)?.isRunning === false
    return record.outcome === 'ok' && !isTakenBack ? { call, undo, isRunning: false } : undefined
  }
  return {
    noteUnkept: (change) => void unkept.set(change.call, change),
    unkeptCalls: ({ session, workspace, limit = DEFAULT_LIMIT } = {}) =>
      calls({ ...(session !== undefined && { session }), limit: Number.MAX_SAFE_INTEGER })
        .flatMap((record) => {
          const change = unkept.get(record.call)
          const isWanted = change && (workspace ?? change.workspace) === change.workspace
          return isWanted ? [{ record, reason: change.reason }] : []
        })
        .slice(0, limit),
    undoOf: findMark,
    claimUndo(wanted, undo) {
      const taken = wanted.map(findMark).find((mark) => mark !== undefined && mark.undo !== undo)
      if (!taken) for (const call of wanted) claims.set(call, undo)
      return taken
    },
  }
}
