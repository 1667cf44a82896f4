import type { CallRecord } from '../core/call/call-record.ts'
import type { LastChange, UnkeptCall } from '../core/call/last-change.ts'
import type { Storage } from '../core/ports/storage.ts'
import { isRecord } from '../core/text/json.ts'
import { UNDO } from './undo-tool.ts'

/** How many calls that changed files are examined. */
const LOOK_BACK = 10_000

type Kept = Pick<Storage, 'log' | 'undo'>

/** Finds the calls to undo for a call or session id, newest first. */
export async function findUndoableCalls({ log, undo }: Kept, id: string): Promise<readonly string[]> {
  if (undo.by(id).length > 0) return [id]
  const calls = await log.calls({ session: id, limit: LOOK_BACK })
  const changed = calls.filter(({ call }) => undo.by(call).length > 0)
  const standing: string[] = []
  for await (const { call } of standingOf(changed, log, {})) standing.push(call)
  return standing
}

/** Finds the calls of a session and of those that it started whose changes came after a cursor and are still in effect, newest first. */
export async function findUndoableAfter(
  { log, undo }: Kept,
  session: string,
  after: number,
): Promise<readonly string[]> {
  const sessions = new Set([session])
  for (const parent of sessions)
    for (const child of await log.sessions({ parent, limit: LOOK_BACK })) sessions.add(child.session)
  const found: CallRecord[] = []
  for (const one of sessions)
    for (const record of await log.calls({ session: one, limit: LOOK_BACK }))
      if ((record.cursor ?? Number.MAX_SAFE_INTEGER) > after) found.push(record)
  return newestStanding(found, undo)
}

/** Finds the calls of some sessions, and some calls by their ids, whose changes are still in effect, newest first. */
export async function findUndoableOf(
  { log, undo }: Kept,
  { sessions, calls }: { readonly sessions: readonly string[]; readonly calls: readonly string[] },
): Promise<readonly string[]> {
  const found: CallRecord[] = []
  for (const session of sessions) found.push(...(await log.calls({ session, limit: LOOK_BACK })))
  for (const call of calls) found.push(...(await log.calls({ call, limit: 1 })))
  return newestStanding(found, undo)
}

function newestStanding(records: readonly CallRecord[], undo: Kept['undo']): readonly string[] {
  const isStanding = ({ call, tool }: CallRecord) =>
    tool !== UNDO && undo.by(call).length > 0 && undo.undoOf(call) === undefined
  return records
    .filter(isStanding)
    .sort((a, b) => (b.cursor ?? Number.MAX_SAFE_INTEGER) - (a.cursor ?? Number.MAX_SAFE_INTEGER))
    .map(({ call }) => call)
}

/** Finds what `undo` without an id undoes: the last change in a workspace, and later changes that cannot be undone. */
export async function findLastChange({ log, undo }: Kept, workspace: string): Promise<LastChange> {
  const seen: Seen = {}
  let change: CallRecord | undefined
  const changed = recordsOf(undo.changedCalls({ workspace, limit: LOOK_BACK }), log)
  for await (const record of standingOf(changed, log, seen)) {
    change = record
    break
  }
  const skipped: UnkeptCall[] = []
  for (const { call, reason } of undo.unkeptCalls({ workspace, limit: LOOK_BACK })) {
    const [record] = await log.calls({ call, limit: 1 })
    if (!record || (record.cursor ?? Number.MAX_SAFE_INTEGER) <= (change?.cursor ?? 0)) break
    if (undo.by(call).length === 0) skipped.push({ record, reason })
  }
  return { change, skipped, undone: seen.undone }
}

async function* recordsOf(calls: readonly string[], log: Storage['log']): AsyncGenerator<CallRecord> {
  for (const call of calls) {
    const [record] = await log.calls({ call, limit: 1 })
    if (record) yield record
  }
}

/** What was found on the way. */
interface Seen {
  /** The newest successful undo. */
  undone?: LastChange['undone']
}

/** Yields calls whose changes are still in effect, newest first: neither undone nor an undo. An undo that was itself undone is ignored. */
async function* standingOf(
  changed: Iterable<CallRecord> | AsyncIterable<CallRecord>,
  log: Storage['log'],
  seen: Seen,
): AsyncGenerator<CallRecord> {
  const undone = new Set<string>()
  for await (const record of changed) {
    if (undone.has(record.call)) continue
    if (record.tool !== UNDO) yield record
    else if (record.outcome === 'ok') {
      const calls = await callsOf(record, log)
      seen.undone ??= { undo: record, calls }
      for (const call of calls) undone.add(call)
    }
  }
}

async function callsOf({ call }: CallRecord, log: Storage['log']): Promise<readonly string[]> {
  const [start] = await log.read({ call, limit: 1 })
  if (start?.type !== 'call-start' || !isRecord(start.arguments)) return []
  const { calls } = start.arguments
  return Array.isArray(calls) ? calls.filter((one) => typeof one === 'string') : []
}
