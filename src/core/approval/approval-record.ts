import type { ApprovalRequest, Reply } from './approval.ts'

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
export interface KeptRequest {
  readonly request: ApprovalRequest
  /** The arguments as they were sent, nothing masked: they are parsed again before they run. Forgotten once the call has ended. */
  readonly input: unknown
  readonly askedAt: number
  readonly expiresAt: number
}

/** A kept question and, once there is one, its answer. */
export interface ApprovalRecord extends KeptRequest {
  readonly answer: ApprovalAnswer | null
}
