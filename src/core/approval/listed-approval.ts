import type { ApprovalRequest } from './approval.ts'
import type { OpenRequest } from './approval-queue.ts'
import type { ApprovalAnswer } from './approval-record.ts'

/** An open approval request as front ends list it. */
export interface ListedApproval extends Omit<ApprovalRequest, 'approval'> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  readonly expiresAt: number
  /** The answer, while the call has not run yet. */
  readonly answer: ApprovalAnswer | null
}

/** Makes the form of an approval request that `GET /api/approvals` and `haft approvals --json` give. */
export function listApproval({ request, askedAt, expiresAt, answer }: OpenRequest): ListedApproval {
  const { approval: id, ...asked } = request
  return { id, ...asked, askedAt, expiresAt, answer }
}
