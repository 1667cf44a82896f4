import type { Storage } from '../../core/ports/storage.ts'
import type { SessionRecord, SessionState, SessionSummary } from '../../core/session/session-record.ts'

/** Adds to each session what it does now: one that runs and has an open approval request or question waits for a person. */
export async function summariseSessions(
  records: readonly SessionRecord[],
  { storage, asking }: { readonly storage: Storage; asking(): Promise<ReadonlySet<string>> },
): Promise<readonly SessionSummary[]> {
  if (records.length === 0) return []
  const waiting = await asking()
  return Promise.all(
    records.map(async (record) => ({ ...record, state: await stateOf(record.session, { storage, waiting }) })),
  )
}

async function stateOf(
  session: string,
  { storage, waiting }: { readonly storage: Storage; readonly waiting: ReadonlySet<string> },
): Promise<SessionState> {
  if (waiting.has(session)) return 'waiting'
  if (await storage.leases.isHeld(session)) return 'running'
  return (await storage.leases.wasLeft(session)) ? 'interrupted' : 'idle'
}
