import { type ApprovalRecord, type ApprovalStore, BY_EXPIRY } from '../core/approval-record.ts'

/** Questions of one process: whoever asked lives as long as they do. */
export function createMemoryApprovals(): ApprovalStore {
  const records = new Map<string, ApprovalRecord>()
  return {
    async keepQuestion(kept) {
      records.set(kept.question.approval, { ...kept, answer: null })
    },
    approval: (id) => records.get(id),
    approvalAnswer: (id) => records.get(id)?.answer,
    openApprovals: () => [...records].filter(([, { answer }]) => answer === null).map(([id]) => id),
    approvals: () => [...records.values()],
    answerApproval(id, answer) {
      const record = records.get(id)
      if (!record || record.answer !== null) return false
      if (record.expiresAt <= answer.at && answer.by !== BY_EXPIRY) return false
      records.set(id, { ...record, answer })
      return true
    },
    adoptApproval: () => false,
    settleApproval: (id) => void records.delete(id),
  }
}
