import type { ApprovalRequest, Reply } from './approval.ts'

/** An answer and the interface that it came through. */
export interface ApprovalAnswer {
  readonly reply: Reply
  readonly by: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** `by` of the answer that is given when nobody answered in time. */
export const BY_EXPIRY = 'expiry'

/** `by` of an answer that a program gave: with its call, or to an approval request. */
export const BY_PROGRAM = 'program'

/** `by` of an answer from an approver without a name. That may be a person or a program. */
export const BY_APPROVER = 'approver'

/** An approval request as it is stored while it waits. */
export interface KeptRequest {
  readonly request: ApprovalRequest
  /** The arguments as they were sent, unmasked. They are parsed again before the call runs, and deleted when the call has ended. */
  readonly input: unknown
  readonly askedAt: number
  readonly expiresAt: number
}

/** A stored approval request and its answer; null while there is none. */
export interface ApprovalRecord extends KeptRequest {
  readonly answer: ApprovalAnswer | null
}
