import type { Reply } from './approvals.ts'
import type { Outcome } from './call-record.ts'
import type { DelegateAnswer, DelegateEffect } from './delegate.ts'
import type { Result } from './result.ts'
import type { Decision, Opinion } from './rule.ts'
import type { Preview } from './tool.ts'

/** What happened, without its place in the log. */
export type EventBody =
  | { type: 'call-start'; session: string; call: string; name: string; arguments: unknown }
  | { type: 'call-repaired'; session: string; call: string; repairs: readonly string[] }
  /** `arguments` are there when the tool's schema made other ones of those that were sent, and JSON can carry them. */
  | {
      type: 'call-judged'
      session: string
      call: string
      decision: Decision
      rule: string
      reason: string
      trace: readonly Opinion[]
      arguments?: unknown
    }
  | {
      type: 'approval-request'
      session: string
      call: string
      approval: string
      tool: string
      arguments: unknown
      effects: readonly string[]
      rule: string
      reason: string
      preview?: Preview
      unusual: readonly string[]
    }
  /** `by` is the interface that the answer came through, or who had decided beforehand. */
  | { type: 'approval-answer'; session: string; call: string; approval: string; reply: Reply; by: string }
  /** `clearedBy` is that of the cleared call; `arguments` are there when a person changed them. */
  | { type: 'call-run'; session: string; call: string; clearedBy: string; arguments?: unknown }
  | { type: 'call-delta'; session: string; call: string; text: string }
  /** It is still at work and has said nothing for a while. */
  | { type: 'call-progress'; session: string; call: string; seconds: number }
  /** The app was asked to do something, and what became of it. */
  | { type: 'call-delegate'; session: string; call: string; effect: DelegateEffect; answer: DelegateAnswer }
  /** Something went wrong that changes no result, such as a cleanup that failed. */
  | { type: 'call-trouble'; session: string; call: string; text: string }
  /** From here on the call is a task: its caller has gone on. */
  | { type: 'task-start'; session: string; call: string }
  /** Somebody, in whatever process, wishes that the task ends. */
  | { type: 'task-cancel'; session: string; call: string }
  | { type: 'task-end'; session: string; call: string; outcome: Outcome }
  | { type: 'call-end'; session: string; call: string; result: Result; duration: number }

/** One entry of the log: a session is the list of these. */
export type Event = EventBody & { seq: number; at: number }

/** Hears of every event, in order. */
export type Listener = (event: Event) => void
