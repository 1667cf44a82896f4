import type { DatabaseSync } from 'node:sqlite'
import { type ApprovalAnswer, type ApprovalRecord, type ApprovalStore, BY_EXPIRY } from '../core/approval-record.ts'
import type { OpenRecord } from '../core/call-record.ts'
import type { EventMask } from '../core/mask-event.ts'
import { isOwnerDead, type OwnerLease } from './owner-lease.ts'
import type { LiveCalls } from './pending.ts'
import { callOf } from './read-calls.ts'
import { describeTrouble, unavailable } from './trouble.ts'
import type { WriteBehind } from './write-behind.ts'

/** What the questions of a log need of its store. */
export interface ApprovalParts {
  readonly database: DatabaseSync
  readonly path: string
  readonly lockFolder: string
  readonly lease: OwnerLease
  readonly live: LiveCalls
  readonly behind: WriteBehind
  readonly mask: EventMask | undefined
}

/** Prepares the statements. An answer is one UPDATE that finds its row unanswered or changes nothing, so it is given once whoever else tries. */
export function createApprovals(parts: ApprovalParts): ApprovalStore {
  const { database, path, lease, live, behind } = parts
  const insert = database.prepare('INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)')
  const one = database.prepare('SELECT * FROM approvals WHERE approval = ?')
  const answered = database.prepare('SELECT reply, answered_by, answered_at FROM approvals WHERE approval = ?')
  const open = database.prepare('SELECT approval FROM approvals WHERE answered_at IS NULL ORDER BY asked_at, approval')
  const all = database.prepare('SELECT * FROM approvals ORDER BY asked_at, approval')
  const answer = database.prepare(`UPDATE approvals SET reply = ?, answered_by = ?, answered_at = ?
    WHERE approval = ? AND answered_at IS NULL AND expires_at > ?`)
  const remove = database.prepare('DELETE FROM approvals WHERE approval = ?')
  const writing = <T>(work: () => T): T => {
    try {
      return work()
    } catch (thrown) {
      throw unavailable(describeTrouble(thrown, path))
    }
  }
  return {
    async keepQuestion({ question, input, askedAt, expiresAt }) {
      await behind.commit()
      const call = live.get(question.call)
      if (!call) throw unavailable(`The call ${question.call} has not begun, so nobody can be asked about it.`)
      const texts = [JSON.stringify(question), JSON.stringify(input)] as const
      writing(() => insert.run(question.approval, call.record.seq, ...texts, askedAt, expiresAt, lease.owner))
    },
    approval(id) {
      const row = one.get(id)
      return row && recordOf(row)
    },
    approvalAnswer(id) {
      const row = answered.get(id)
      return row && answerOf(row)
    },
    openApprovals: () => open.all().map((row) => String(row.approval)),
    approvals: () => all.all().map(recordOf),
    answerApproval(id, { reply, by, at }) {
      const latest = by === BY_EXPIRY ? 0 : at
      return writing(() => answer.run(JSON.stringify(reply), by, at, id, latest)).changes === 1
    },
    adoptApproval: (id) => writing(() => adopt(parts, id)),
    settleApproval(id) {
      try {
        remove.run(id)
      } catch {
        // The row stays until the next start finds its call ended.
      }
    },
  }
}

/** A row as a record; rows were written by us, so their texts are what they say. */
function recordOf(row: Record<string, unknown>): ApprovalRecord {
  const { question, input, asked_at, expires_at } = row
  return {
    question: JSON.parse(String(question)),
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

/** The call becomes ours in one transaction, so that of two who see its process gone one gets it. */
function adopt({ database, lockFolder, lease, live, mask }: ApprovalParts, id: string): boolean {
  const found = database.prepare('SELECT owner, call_seq, input FROM approvals WHERE approval = ?').get(id)
  if (!found || found.owner === lease.owner || !isOwnerDead(lockFolder, String(found.owner))) return false
  lease.hold()
  const seq = Number(found.call_seq)
  database.exec('BEGIN IMMEDIATE')
  try {
    const taken = database
      .prepare(
        `UPDATE approvals SET owner = ? WHERE approval = ? AND owner = ?
         AND NOT EXISTS (SELECT 1 FROM ledger WHERE seq = call_seq)
         AND EXISTS (SELECT 1 FROM calls WHERE seq = call_seq AND outcome IS NULL AND ran = 0)`,
      )
      .run(lease.owner, id, String(found.owner))
    if (taken.changes === 1) database.prepare('UPDATE calls SET owner = ? WHERE seq = ?').run(lease.owner, seq)
    database.exec('COMMIT')
    if (taken.changes !== 1) return false
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
  const row = database.prepare('SELECT * FROM calls WHERE seq = ?').get(seq) ?? {}
  const record: OpenRecord = { ...callOf(row) }
  live.set(record.call, { record, lastSeq: Number(row.last_seq), hasRow: true })
  // So that the secrets of its arguments are known where later events repeat them.
  const { session, call, tool: name } = record
  mask?.({ type: 'call-start', session, call, name, arguments: JSON.parse(String(found.input)) })
  return true
}
