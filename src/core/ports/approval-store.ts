import type { ApprovalAnswer, ApprovalRecord, KeptRequest } from '../approval/approval-record.ts'
import type { Event } from '../session/event.ts'

/** An answer that was stored. */
export interface StoredAnswer {
  /** The `approval-answer` event. */
  readonly event: Event
  /** True if this process took over the call, because the one that asked has died. */
  readonly isAdopted: boolean
}

/** Stores the approval requests that wait. They are rows, so any process can answer and none is blocked while a request waits. */
export interface ApprovalStore {
  /** Stores the request of a running call. Resolves once it is committed. Rejects with UNAVAILABLE; then nobody can be asked. */
  ask(kept: KeptRequest): Promise<void>
  /** A request whose call has not ended, answered or not. */
  get(id: string): Promise<ApprovalRecord | undefined>
  /** All requests whose calls have not ended, the oldest first. */
  list(): Promise<readonly ApprovalRecord[]>
  /**
   * Stores the only answer of a request and appends its `approval-answer` event, in one commit. With `adopt`, the same commit takes over the
   * call of a process that has died. Resolves to undefined if the request already has an answer or has expired. Rejects with UNAVAILABLE.
   */
  answer(id: string, answer: ApprovalAnswer, options?: { readonly adopt?: boolean }): Promise<StoredAnswer | undefined>
  /** Takes over the call of a request whose process has died before running it. False if that process is alive or another process was first. */
  adopt(id: string): Promise<boolean>
  /** Deletes the request of a call that has ended. Never rejects. */
  settle(id: string): Promise<void>
}
