import type { DatabaseSync } from 'node:sqlite'
import { type ApprovalAnswer, type ApprovalRecord, BY_EXPIRY } from '../../core/approval/approval-record.ts'
import { applyEvent, type OpenRecord } from '../../core/call/call-record.ts'
import type { ApprovalStore } from '../../core/ports/approval-store.ts'
import type { Event, EventBody } from '../../core/session/event.ts'
import type { Eraser } from './database/erase.ts'
import { unavailable } from './database/problem.ts'
import { isOwnerDead, type OwnerLock } from './owners/owner-lock.ts'
import { callOf } from './read/read-calls.ts'
import { reading } from './read/reading.ts'
import type { LiveCall, LiveCalls } from './write/pending.ts'
import type { WriteBehind } from './write/write-behind.ts'
import type { EventWriter } from './write/write-events.ts'

/** The parts of the storage that approvals use. */
export interface ApprovalParts {
  readonly database: DatabaseSync
  readonly lockFolder: string
  readonly ownerLock: OwnerLock
  readonly live: LiveCalls
  readonly behind: WriteBehind
  readonly events: EventWriter
  /** A row holds arguments unmasked; nothing of them stays once the call has ended. */
  readonly eraser: Eraser
  stamp(body: EventBody): Event
}

/** Prepares the statements. An answer is one UPDATE of an unanswered row, so a request is answered once, by whichever process is first. */
export function createApprovals(parts: ApprovalParts): ApprovalStore {
  const { database, ownerLock, live, behind, eraser } = parts
  const transact = <T>(work: () => T): T => eraser.overwrite(() => behind.transact(work))
  const insert = database.prepare('INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)')
  const one = database.prepare('SELECT * FROM approvals WHERE approval = ?')
  const all = database.prepare('SELECT * FROM approvals ORDER BY asked_at, approval')
  const remove = database.prepare('DELETE FROM approvals WHERE approval = ?')
  /** Returns the row of a request whose process has died. */
  const leftBehind = (id: string) => {
    const row = reading(() => one.get(id))
    return row && row.owner !== ownerLock.owner && isOwnerDead(parts.lockFolder, String(row.owner)) ? row : undefined
  }
  /** Keeps a call that was taken over among those of this process. */
  const follow = (row: Record<string, unknown>, call: LiveCall) => {
    live.set(call.record.call, call)
    rememberSecrets(parts, call.record, row)
  }
  return {
    async ask({ request, input, askedAt, expiresAt }) {
      const { approval, call } = request
      const texts = [JSON.stringify(request), JSON.stringify(input)] as const
      transact(() => {
        const cursor = live.get(call)?.record.cursor
        if (cursor === undefined)
          throw unavailable(`The call ${call} has not started, so no approval can be requested for it.`)
        insert.run(approval, cursor, ...texts, askedAt, expiresAt, ownerLock.owner)
      })
    },
    async get(id) {
      const row = reading(() => one.get(id))
      return row && recordOf(row)
    },
    list: async () => reading(() => all.all()).map(recordOf),
    async answer(id, answer, options) {
      const left = options?.adopt === true ? leftBehind(id) : undefined
      const stored = transact(() => {
        const event = give(parts, id, answer)
        return event && { event, call: left && adopt(parts, left) }
      })
      if (!stored) return undefined
      const { event, call } = stored
      if (left && call) follow(left, call)
      const known = live.get(event.call)
      if (known) applyEvent(known.record, event)
      return { event, isAdopted: call !== undefined }
    },
    async adopt(id) {
      const left = leftBehind(id)
      const call = left && transact(() => adopt(parts, left))
      if (!left || !call) return false
      follow(left, call)
      return true
    },
    async settle(id) {
      try {
        eraser.overwrite(() => remove.run(id))
        eraser.emptyWal()
      } catch {
        // The row stays until the next start finds that its call has ended.
      }
    },
  }
}

/** Turns a row into a record. We wrote the row, so its JSON has the expected type. */
function recordOf(row: Record<string, unknown>): ApprovalRecord {
  const { question, input, asked_at, expires_at } = row
  return {
    request: JSON.parse(String(question)),
    input: JSON.parse(String(input)),
    askedAt: Number(asked_at),
    expiresAt: Number(expires_at),
    answer: answerOf(row),
  }
}

function answerOf({ reply, answered_by, answered_at }: Record<string, unknown>): ApprovalAnswer | null {
  if (answered_at === null) return null
  return { reply: JSON.parse(String(reply)), by: String(answered_by), at: Number(answered_at) }
}

type AnswerEvent = Extract<Event, { type: 'approval-answer' }>

/** Writes the answer and its event, which notifies followers of the log. Called inside a transaction. */
function give({ database, events, stamp }: ApprovalParts, id: string, answer: ApprovalAnswer): AnswerEvent | undefined {
  const { reply, by, at } = answer
  const update = database.prepare(`UPDATE approvals SET reply = ?, answered_by = ?, answered_at = ?
    WHERE approval = ? AND answered_at IS NULL AND expires_at > ? RETURNING question`)
  const [row] = update.all(JSON.stringify(reply), by, at, id, by === BY_EXPIRY ? 0 : at)
  if (!row) return undefined
  const { session, call } = recordOf({ ...row, input: 'null', answered_at: null }).request
  const event = stamp({ type: 'approval-answer', session, call, approval: id, reply, by })
  events.writeOne(event)
  database.prepare("UPDATE calls SET task = 'queued' WHERE call = ? AND task = 'waiting'").run(call)
  // Masking changes members, never the type.
  return event as AnswerEvent
}

/** Takes over the call inside a transaction, so that only one process gets it after its owner died. */
function adopt({ database, ownerLock }: ApprovalParts, row: Record<string, unknown>): LiveCall | undefined {
  const taken = database
    .prepare(
      `UPDATE approvals SET owner = ? WHERE approval = ? AND owner = ?
       AND EXISTS (SELECT 1 FROM calls WHERE cursor = call_cursor AND outcome IS NULL)
       AND (json_extract(question, '$.hasRun') = 1
         OR (NOT EXISTS (SELECT 1 FROM ledger WHERE cursor = call_cursor)
           AND EXISTS (SELECT 1 FROM calls WHERE cursor = call_cursor AND ran = 0)))`,
    )
    .run(ownerLock.owner, String(row.approval), String(row.owner))
  if (taken.changes !== 1) return undefined
  const cursor = Number(row.call_cursor)
  database.prepare('UPDATE calls SET owner = ? WHERE cursor = ?').run(ownerLock.owner, cursor)
  const kept = database
    .prepare(
      'SELECT c.*, s.workspace, s.parent FROM calls c LEFT JOIN sessions s ON s.session = c.session WHERE cursor = ?',
    )
    .get(cursor)
  const record: OpenRecord = { ...callOf(kept ?? {}) }
  return { record, lastCursor: Number(kept?.last_cursor), hasRow: true }
}

/** Masks the start of a call, which registers the secrets in its arguments for later events. */
function rememberSecrets({ stamp }: ApprovalParts, record: OpenRecord, row: Record<string, unknown>): void {
  const { session, call, tool: name } = record
  stamp({ type: 'call-start', session, call, name, arguments: JSON.parse(String(row.input)) })
}
