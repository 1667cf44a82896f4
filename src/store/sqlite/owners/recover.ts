import type { DatabaseSync } from 'node:sqlite'
import { type Failure, failure, type Result } from '../../../core/call/result.ts'
import type { Event, EventBody } from '../../../core/session/event.ts'
import type { EventWriter } from '../write/write-events.ts'
import { answerOf, findQuestion } from './find-question.ts'
import { isOwnerDead, sweepLocks } from './owner-lock.ts'

/** The parts of the storage that recovery uses. */
export interface RecoverParts {
  readonly database: DatabaseSync
  readonly events: EventWriter
  /** Adds id and time to an event. */
  stamp(body: EventBody): Event
}

/**
 * Ends every call that a dead process left open: INTERRUPTED, or DENIED when nobody answered in time. A call that waits
 * for an answer, or has one and was not run, stays open for the approver; so does one that has run and whose changes wait for an answer. Also removes other data of dead processes. Returns true
 * when there was something to do. Safe to run in several processes at once.
 */
export function endCallsOfTheDead(parts: RecoverParts, lockFolder: string): boolean {
  const { database, events } = parts
  const owners = database.prepare(
    'SELECT owner FROM calls WHERE outcome IS NULL AND owner IS NOT NULL UNION SELECT owner FROM path_locks',
  )
  const dead = owners
    .all()
    .map((row) => String(row.owner))
    .filter((owner) => isOwnerDead(lockFolder, owner))
  const isWork = dead.length > 0 || database.prepare(`SELECT 1 ${LEFT_APPROVALS}`).get() !== undefined
  if (isWork) {
    database.exec('BEGIN IMMEDIATE')
    try {
      events.begin()
      for (const owner of dead) endCallsOf(owner, parts)
      for (const owner of dead) database.prepare('DELETE FROM path_locks WHERE owner = ?').run(owner)
      database.exec(`DELETE ${LEFT_APPROVALS}`)
      events.end()
      database.exec('COMMIT')
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw thrown
    }
  }
  sweepLocks(lockFolder, Date.now())
  return isWork
}

/** Approval requests of calls that have ended. */
const LEFT_APPROVALS = `FROM approvals WHERE NOT EXISTS (
  SELECT 1 FROM calls WHERE calls.cursor = call_cursor AND outcome IS NULL)`

/** Ends the calls of one dead process, but those that wait for an answer, unless they are of the session `goesOn`, which has got a message. Called inside a transaction of the event writer. */
export function endCallsOf(owner: string, { database, events, stamp }: RecoverParts, goesOn?: string): void {
  const open = database
    .prepare(
      `SELECT c.cursor, c.session, c.call, c.tool, c.at, c.ran, l.idempotent, a.expires_at, a.answered_at,
        json_extract(a.question, '$.hasRun') AS has_run
       FROM calls c LEFT JOIN ledger l ON l.cursor = c.cursor LEFT JOIN approvals a ON a.call_cursor = c.cursor
       WHERE c.owner = ? AND c.outcome IS NULL ORDER BY c.cursor`,
    )
    .all(owner)
  const endCall = database.prepare(
    "UPDATE calls SET outcome = ?, last_cursor = ?, owner = NULL, task = iif(task IS NULL, NULL, 'ended') WHERE cursor = ?",
  )
  const endLedger = database.prepare('UPDATE ledger SET ended_at = ? WHERE cursor = ?')
  const endApproval = database.prepare('DELETE FROM approvals WHERE call_cursor = ?')
  for (const row of open) {
    const at = Date.now()
    const [session, call] = [String(row.session), String(row.call)]
    const result = endOf(row, database, at) ?? (session === goesOn ? endWaiting(row) : undefined)
    if (result === undefined) continue
    const cursor = events.writeOne(stamp({ type: 'call-end', session, call, result, duration: 0 }))
    endCall.run(result.ok ? 'ok' : result.code, cursor, Number(row.cursor))
    endLedger.run(at, Number(row.cursor))
    endApproval.run(Number(row.cursor))
  }
}

/** How a call of a dead process ends; undefined while it waits for an answer. */
function endOf(row: Record<string, unknown>, database: DatabaseSync, now: number): Result | undefined {
  const [session, call, tool] = [String(row.session), String(row.call), String(row.tool)]
  const asked = row.ran === 1 && row.idempotent === null ? findQuestion(database, { session, call }) : undefined
  if (asked) return answerOf(asked, now)
  const fate = fateOf(row, now)
  if (fate === 'waiting') return undefined
  return fate === 'unanswered' ? unanswered(tool) : interrupted(tool, fate)
}

/** How a call that waits for an answer ends when its session goes on without one. What a command has changed already still waits. */
function endWaiting({ tool, has_run }: Record<string, unknown>): Result | undefined {
  return has_run === 1 ? undefined : interrupted(String(tool), 'not run')
}

type Fate = 'not run' | 'repeatable' | 'unknown'

function fateOf(row: Record<string, unknown>, now: number): Fate | 'waiting' | 'unanswered' {
  // What a command that has run changed is kept on disk, and whoever answers applies or discards it.
  const began = (row.ran === 1 || row.idempotent !== null) && row.has_run !== 1
  if (!began && Number(row.expires_at ?? 0) > now) return 'waiting'
  if (!began && row.expires_at !== null && row.answered_at === null) return 'unanswered'
  if (!began) return 'not run'
  return row.idempotent === 1 ? 'repeatable' : 'unknown'
}

const FATES: Readonly<Record<Fate, string>> = {
  'not run': 'before it was run. Nothing was done, so it can be repeated.',
  repeatable: 'while it was running, so its outcome is unknown. Running it twice is harmless, so it can be repeated.',
  unknown:
    'while it was running, so its outcome is unknown. Check what it was supposed to change before you repeat it.',
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
