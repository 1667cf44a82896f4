import type { Question, Reply } from './approvals.ts'

/** An answer, and through which interface it came. */
export interface ApprovalAnswer {
  readonly reply: Reply
  readonly by: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** `by` of the answer that counts when nobody answered in time. */
export const BY_EXPIRY = 'expiry'

/** `by` of an answer that a program gave: with its call, or to an approval request. */
export const BY_PROGRAM = 'program'

/** `by` of an answer from an approver without a name, which may be a person or a program. */
export const BY_APPROVER = 'approver'

/** A question as it is kept while it waits. */
export interface KeptQuestion {
  readonly question: Question
  /** The arguments as they were sent, nothing masked: they are parsed again before they run. Forgotten once the call has ended. */
  readonly input: unknown
  readonly askedAt: number
  readonly expiresAt: number
}

/** A kept question and, once there is one, its answer. */
export interface ApprovalRecord extends KeptQuestion {
  readonly answer: ApprovalAnswer | null
}

/** Where questions wait: a row, nothing held. */
export interface ApprovalStore {
  /** Keeps a question of a call under way. Resolves once it is committed; rejects with UNAVAILABLE, and then nobody can be asked. */
  keepQuestion(kept: KeptQuestion): Promise<void>
  /** A question whose call has not ended, answered or not. */
  approval(id: string): ApprovalRecord | undefined
  /** Its answer alone, null while it has none, undefined when there is no such question: cheap enough to ask often. */
  approvalAnswer(id: string): ApprovalAnswer | null | undefined
  /** The ids of those without an answer, as cheap. */
  openApprovals(): readonly string[]
  /** All of them, the oldest first. */
  approvals(): readonly ApprovalRecord[]
  /** Gives the one answer a question gets, committed when it returns; false when it has one or its time is over. Throws UNAVAILABLE. */
  answerApproval(id: string, answer: ApprovalAnswer): boolean
  /** Takes over the call of a question whose process is gone and has not run it; false when it lives or another was first. */
  adoptApproval(id: string): boolean
  /** Forgets the question of a call that has ended. Never throws. */
  settleApproval(id: string): void
}
