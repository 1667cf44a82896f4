import type { CallRecord } from '../../core/call/call-record.ts'
import type { KeptReplaced, UndoMark, UndoStore, UnkeptChange } from '../../core/ports/undo-store.ts'
import { DEFAULT_LIMIT } from '../match-call.ts'

/** Creates undo records in memory up to a number of bytes. `outcomeOf` returns the outcome of a call; null while it runs, undefined when it is unknown. */
export function createMemoryUndo(
  limit: number,
  outcomeOf: (call: string) => CallRecord['outcome'] | undefined,
): UndoStore {
  return { ...createReplaced(limit), ...createClaims(outcomeOf) }
}

/** Replaced content by call. The records of a call are dropped together, since a part of them cannot restore anything. */
function createReplaced(
  limit: number,
): Pick<UndoStore, 'keep' | 'keepAll' | 'forget' | 'by' | 'changedCalls' | 'interruptedUndos'> {
  const calls = new Map<string, { records: KeptReplaced[]; size: number }>()
  let kept = 0
  const keep = (record: KeptReplaced): void => {
    const size = 100 + (record.before?.type === 'file' ? (record.before.bytes?.length ?? 0) : 0)
    const known = calls.get(record.call) ?? { records: [], size: 0 }
    known.records.push(record)
    known.size += size
    kept += size
    // The call with the latest change comes last.
    calls.delete(record.call)
    calls.set(record.call, known)
    for (const [oldest, { size: freed }] of calls) {
      if (kept <= limit || oldest === record.call) break
      calls.delete(oldest)
      kept -= freed
    }
  }
  return {
    keep,
    keepAll: (records) => records.forEach(keep),
    forget(call) {
      kept -= calls.get(call)?.size ?? 0
      calls.delete(call)
    },
    // What is in memory dies with its process.
    interruptedUndos: () => [],
    by: (call) => calls.get(call)?.records ?? [],
    changedCalls({ workspace, limit: most = DEFAULT_LIMIT } = {}) {
      const isThere = (record: KeptReplaced) => workspace === undefined || record.workspace === workspace
      const found = [...calls].filter(([, { records }]) => records.some(isThere)).map(([call]) => call)
      return found.reverse().slice(0, most)
    },
  }
}

function createClaims(
  outcomeOf: (call: string) => CallRecord['outcome'] | undefined,
): Pick<UndoStore, 'noteUnkept' | 'unkeptCalls' | 'undoOf' | 'claimUndo'> {
  const unkept = new Map<string, UnkeptChange>()
  const claims = new Map<string, string>()
  const findMark = (call: string): UndoMark | undefined => {
    const undo = claims.get(call)
    const outcome = undo === undefined ? undefined : outcomeOf(undo)
    if (undo === undefined || outcome === undefined) return undefined
    if (outcome === null) return { call, undo, isRunning: true }
    const isTakenBack = findMark(undo)?.isRunning === false
    return outcome === 'ok' && !isTakenBack ? { call, undo, isRunning: false } : undefined
  }
  return {
    noteUnkept: (change) => void unkept.set(change.call, change),
    unkeptCalls({ workspace, limit = DEFAULT_LIMIT } = {}) {
      const found = [...unkept.values()].filter((change) => (workspace ?? change.workspace) === change.workspace)
      return found.reverse().slice(0, limit)
    },
    undoOf: findMark,
    claimUndo(wanted, undo) {
      const taken = wanted.map(findMark).find((mark) => mark !== undefined && mark.undo !== undo)
      if (!taken) for (const call of wanted) claims.set(call, undo)
      return taken
    },
  }
}
