import type { DatabaseSync } from 'node:sqlite'
import type { Event } from '../core/event.ts'
import { type Failure, failure } from '../core/result.ts'
import { isOwnerDead, sweepLocks } from './owner-lease.ts'

/** Gives every call that a dead process left open its end: INTERRUPTED, or DENIED where nobody answered in time. One that waits for an answer, or has one and was not run, stays open for whoever answers. Safe to run in several processes at once. */
export function endCallsOfTheDead(database: DatabaseSync, lockFolder: string): void {
  const owners = database.prepare('SELECT DISTINCT owner FROM calls WHERE outcome IS NULL').all()
  const dead = owners.map((row) => String(row.owner)).filter((owner) => isOwnerDead(lockFolder, owner))
  if (dead.length > 0) {
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const owner of dead) endCallsOf(database, owner)
      database.exec('COMMIT')
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw thrown
    }
  }
  sweepLocks(lockFolder, Date.now())
}

function endCallsOf(database: DatabaseSync, owner: string): void {
  const open = database
    .prepare(
      `SELECT c.seq, c.session, c.call, c.tool, c.at, c.ran, l.idempotent, a.expires_at, a.answered_at
       FROM calls c LEFT JOIN ledger l ON l.seq = c.seq LEFT JOIN approvals a ON a.call_seq = c.seq
       WHERE c.owner = ? AND c.outcome IS NULL ORDER BY c.seq`,
    )
    .all(owner)
  const place = database.prepare('UPDATE counter SET next = next + 1 RETURNING next - 1 AS seq')
  const addEvent = database.prepare(
    'INSERT INTO events (first_seq, last_seq, last_at, session, body) VALUES (?, ?, ?, ?, ?)',
  )
  const endCall = database.prepare('UPDATE calls SET outcome = ?, last_seq = ? WHERE seq = ?')
  const endLedger = database.prepare('UPDATE ledger SET ended_at = ? WHERE seq = ?')
  const endApproval = database.prepare('DELETE FROM approvals WHERE call_seq = ?')
  for (const row of open) {
    const at = Date.now()
    const fate = fateOf(row, at)
    if (fate === 'waiting') continue
    const seq = Number(place.get()?.seq)
    const session = String(row.session)
    const result = fate === 'unanswered' ? unanswered(String(row.tool)) : interrupted(String(row.tool), fate)
    const event: Event = { type: 'call-end', session, call: String(row.call), result, duration: 0, seq, at }
    addEvent.run(seq, seq, at, session, JSON.stringify([event]))
    endCall.run(result.code, seq, Number(row.seq))
    endLedger.run(at, Number(row.seq))
    endApproval.run(Number(row.seq))
  }
}

type Fate = 'not run' | 'repeatable' | 'unknown'

function fateOf(row: Record<string, unknown>, now: number): Fate | 'waiting' | 'unanswered' {
  const began = row.ran === 1 || row.idempotent !== null
  if (!began && Number(row.expires_at ?? 0) > now) return 'waiting'
  if (!began && row.expires_at !== null && row.answered_at === null) return 'unanswered'
  if (!began) return 'not run'
  return row.idempotent === 1 ? 'repeatable' : 'unknown'
}

const FATES: Readonly<Record<Fate, string>> = {
  'not run': 'before it was run. Nothing has happened; it may be made again.',
  repeatable:
    'while it was running, so its outcome is unknown; running it twice does no harm, so it may be made again.',
  unknown: 'while it was running, so its outcome is unknown. Look at what it was to change before it is made again.',
}

function interrupted(tool: string, fate: Fate): Failure {
  const text = `${tool} was interrupted: Haft ended ${FATES[fate]}`
  return failure('INTERRUPTED', text, { details: { fate }, retryable: fate !== 'unknown' })
}

function unanswered(tool: string): Failure {
  return failure('DENIED', `${tool} needs a person's approval, and nobody answered. Nothing was run.`, {
    details: { reason: 'nobody answered' },
  })
}
