import { type ApprovalRecord, BY_EXPIRY } from '../../core/approval/approval-record.ts'
import type { ApprovalStore } from '../../core/ports/approval-store.ts'
import type { Log } from '../../core/ports/log.ts'

/** Approval requests in memory, with the operations reserved for the storage. */
export interface MemoryApprovals extends ApprovalStore {
  removeSessions(sessions: ReadonlySet<string>): void
}

/** Creates the approval requests of one process. The process that asked is always alive. */
export function createMemoryApprovals(log: Pick<Log, 'append'>): MemoryApprovals {
  const records = new Map<string, ApprovalRecord>()
  return {
    async ask(kept) {
      records.set(kept.request.approval, { ...kept, answer: null })
    },
    get: async (id) => records.get(id),
    list: async () => [...records.values()],
    async answer(id, answer) {
      const record = records.get(id)
      if (!record || record.answer !== null) return undefined
      if (record.expiresAt <= answer.at && answer.by !== BY_EXPIRY) return undefined
      records.set(id, { ...record, answer })
      const { session, call, approval } = record.request
      const { reply, by } = answer
      const event = log.append({ type: 'approval-answer', session, call, approval, reply, by })
      return { event, isAdopted: false }
    },
    adopt: async () => false,
    async settle(id) {
      records.delete(id)
    },
    removeSessions(sessions) {
      for (const [id, { request }] of records) if (sessions.has(request.session)) records.delete(id)
    },
  }
}
