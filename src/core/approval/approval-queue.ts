import type { Failure, Result } from '../call/result.ts'
import type { ApprovalRequest, Reply } from './approval.ts'
import type { ApprovalAnswer } from './approval-record.ts'
import type { Grant } from './grant.ts'

/** An approval request that waits for its answer, or that was answered while its call has not run yet. */
export interface OpenRequest {
  readonly request: ApprovalRequest
  readonly askedAt: number
  readonly expiresAt: number
  readonly answer: ApprovalAnswer | null
}

/** An accepted answer. The process that asked runs the call; if that process is gone, the call was run here. */
export type AcceptedAnswer =
  | { readonly ok: true; readonly runs: 'asker' }
  | { readonly ok: true; readonly runs: 'here'; readonly result: Result }

/** Called when an approval request appears or is answered, in this process or another. */
export interface RequestListener {
  asked?(open: OpenRequest): void
  answered?(approval: string): void
}

/** The approval requests of one home, for front ends to list and answer. Every process of the home sees the same requests. */
export interface ApprovalQueue {
  /** All open requests, the oldest first. */
  list(): Promise<readonly OpenRequest[]>
  /** Answers a request. A second answer is a CONFLICT. `by` names the interface, `digest` is that of the request the person saw. Never throws. */
  answer(
    id: string,
    reply: Reply,
    seen?: { readonly by?: string; readonly digest?: string },
  ): Promise<AcceptedAnswer | Failure>
  /** Resolves to the answer of a request, or to undefined when its call ended without one. */
  wait(id: string, signal?: AbortSignal): Promise<Reply | undefined>
  /** Checks arguments that would replace those of the call. Resolves to what is wrong with them, or undefined. */
  check(id: string, changed: unknown): Promise<string | undefined>
  /** Shows what the call of a request would do. Nothing is applied or logged. Never rejects. */
  dryRun(id: string, signal: AbortSignal): Promise<Result>
  /** Calls the listener for every open request, then for each new one. Returns a function that stops this. */
  on(listener: RequestListener): () => void
  grants(): Promise<readonly Grant[]>
  revoke(id: string): Promise<boolean>
}
