import type { Storage } from '../../core/ports/storage.ts'
import type { SessionRecord, SessionState, SessionSummary } from '../../core/session/session-record.ts'

/** Adds to each session what it does now. One waits for a person while it, or a session of its sub-agents, has an open approval request or question. */
export async function summariseSessions(
  records: readonly SessionRecord[],
  { storage, asking }: { readonly storage: Storage; asking(): Promise<ReadonlySet<string>> },
): Promise<readonly SessionSummary[]> {
  if (records.length === 0) return []
  const [waiting, holders] = await Promise.all([
    asking().then((sessions) => withAncestors(sessions, storage)),
    storage.leases.holders(records.map(({ session }) => session)),
  ])
  const stateOf = ({ session, ended }: SessionRecord): SessionState => {
    if (waiting.has(session)) return 'waiting'
    const holder = holders.get(session)
    if (holder !== undefined) return holder === 'alive' ? 'running' : 'interrupted'
    if (ended === 'failed') return 'failed'
    if (ended === 'cancelled') return 'stopped'
    return ended === 'limit' || ended === 'loop' ? 'cut-off' : 'idle'
  }
  return records.map((record) => ({ ...record, state: stateOf(record) }))
}

async function withAncestors(sessions: ReadonlySet<string>, { log }: Storage): Promise<ReadonlySet<string>> {
  const all = new Set(sessions)
  // A Set yields what is added while it is gone through.
  for (const session of all) {
    const [record] = await log.sessions({ session, limit: 1 })
    if (record && record.parent !== null) all.add(record.parent)
  }
  return all
}
