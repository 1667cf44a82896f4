import type { Storage } from '../../core/ports/storage.ts'
import type { SessionRecord, SessionState, SessionSummary } from '../../core/session/session-record.ts'

/** Adds to each session what it does now: one that runs and has an open approval request or question waits for a person. */
export async function summariseSessions(
  records: readonly SessionRecord[],
  { storage, asking }: { readonly storage: Storage; asking(): Promise<ReadonlySet<string>> },
): Promise<readonly SessionSummary[]> {
  if (records.length === 0) return []
  const [waiting, holders] = await Promise.all([
    asking(),
    storage.leases.holders(records.map(({ session }) => session)),
  ])
  const stateOf = (session: string): SessionState => {
    if (waiting.has(session)) return 'waiting'
    const holder = holders.get(session)
    if (holder === undefined) return 'idle'
    return holder === 'alive' ? 'running' : 'interrupted'
  }
  return records.map((record) => ({ ...record, state: stateOf(record.session) }))
}
