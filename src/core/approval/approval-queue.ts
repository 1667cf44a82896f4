import type { Failure, Result } from '../call/result.ts'
import type { ApprovalRequest, Reply } from './approval.ts'
import type { ApprovalAnswer } from './approval-record.ts'
import type { Grant } from './grant.ts'

/** A question that waits, or was answered and has not been run. */
export interface OpenRequest {
  readonly request: ApprovalRequest
  readonly askedAt: number
  readonly expiresAt: number
  readonly answer: ApprovalAnswer | null
}

/** An answer that was taken: the asker runs the call, or it was run here since the asker is gone. */
export type Taken =
  | { readonly ok: true; readonly runs: 'asker' }
  | { readonly ok: true; readonly runs: 'here'; readonly result: Result }

/** Hears of questions as they come and go, in this process or another. */
export interface RequestListener {
  asked?(open: OpenRequest): void
  answered?(approval: string): void
}

/** What front ends answer approval requests with; every process of one home sees the same ones. */
export interface ApprovalQueue {
  /** Everything open, the oldest first. */
  list(): Promise<readonly OpenRequest[]>
  /** Answers once; a second answer is a CONFLICT. `by` names the interface, `digest` what the person saw. Never throws. */
  answer(id: string, reply: Reply, seen?: { readonly by?: string; readonly digest?: string }): Promise<Taken | Failure>
  /** Resolves when a question has its answer, or its call has ended; undefined then. */
  wait(id: string, signal?: AbortSignal): Promise<Reply | undefined>
  /** Says what is wrong with arguments that would be put in place of those asked about; undefined when they would do. */
  check(id: string, changed: unknown): Promise<string | undefined>
  /** Listens from now on, and hears first of what is open already; returns how to stop. */
  on(listener: RequestListener): () => void
  grants(): Promise<readonly Grant[]>
  revoke(id: string): Promise<boolean>
}
