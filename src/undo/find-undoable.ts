import type { CallRecord } from '../core/call-record.ts'
import { isRecord } from '../core/json.ts'
import type { ChangedFilter, Store } from '../core/store.ts'
import { UNDO } from './undo-tool.ts'

/** How many calls that changed files are looked through. */
const LOOK_BACK = 10_000

/** Calls whose changes still stand, the newest first: neither undone, nor an undo. An undo that was itself undone counts for nothing. */
export function findUndoable(
  log: Pick<Store, 'changedCalls' | 'events'>,
  filter: ChangedFilter,
): readonly CallRecord[] {
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
