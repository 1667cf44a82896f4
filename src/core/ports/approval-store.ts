import type { ApprovalAnswer, ApprovalRecord, KeptRequest } from '../approval/approval-record.ts'
import type { Event } from '../session/event.ts'

/** Where approval requests wait: rows, so that any process can answer and nothing is held while one waits. */
export interface ApprovalStore {
  /** Keeps the request of a call under way. Resolves once it is committed; rejects with UNAVAILABLE, and then nobody can be asked. */
  ask(kept: KeptRequest): Promise<void>
  /** A request whose call has not ended, answered or not. */
  get(id: string): Promise<ApprovalRecord | undefined>
  /** All of them, the oldest first. */
  list(): Promise<readonly ApprovalRecord[]>
  /** Gives the one answer a request gets and appends its `approval-answer` event, in one commit; undefined when it has one or its time is over. Rejects with UNAVAILABLE. */
  answer(id: string, answer: ApprovalAnswer): Promise<Event | undefined>
  /** Takes over the call of a request whose process is gone and has not run it; false when that process lives or another was first. */
  adopt(id: string): Promise<boolean>
  /** Forgets the request of a call that has ended. Never rejects. */
  settle(id: string): Promise<void>
}
