import type { CallRecord } from '../core/call-record.ts'
import { isRecord } from '../core/json.ts'
import type { ChangedFilter, Store } from '../core/store.ts'
import { UNDO } from './undo-tool.ts'

/** How many calls that changed files are looked through. */
const LOOK_BACK = 10_000

type Log = Pick<Store, 'changedCalls' | 'events' | 'replacedBy'>

/** The calls that undoing this call or session means, the newest first; without an id, the last one in the workspace. */
export function findUndoableCalls(log: Log, workspace: string, id: string | undefined): readonly string[] {
  if (id === undefined)
    return findUndoable(log, { workspace })
      .slice(0, 1)
      .map(({ call }) => call)
  if (log.replacedBy(id).length > 0) return [id]
  return findUndoable(log, { session: id }).map(({ call }) => call)
}

/** Calls whose changes still stand, the newest first: neither undone, nor an undo. An undo that was itself undone counts for nothing. */
function findUndoable(log: Log, filter: ChangedFilter): readonly CallRecord[] {
  const undone = new Set<string>()
  const standing: CallRecord[] = []
  for (const record of log.changedCalls({ ...filter, limit: LOOK_BACK })) {
    if (undone.has(record.call)) continue
    if (record.tool !== UNDO) standing.push(record)
    else if (record.outcome === 'ok') for (const call of callsOf(log, record)) undone.add(call)
  }
  return standing
}

function callsOf(log: Pick<Store, 'events'>, { seq }: CallRecord): readonly string[] {
  const [start] = log.events({ callSeq: seq, limit: 1 })
  if (start?.type !== 'call-start' || !isRecord(start.arguments)) return []
  const { calls } = start.arguments
  return Array.isArray(calls) ? calls.filter((call) => typeof call === 'string') : []
}
