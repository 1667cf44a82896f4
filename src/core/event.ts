import type { Reply } from './approvals.ts'
import type { Result } from './result.ts'
import type { Decision, Opinion } from './rule.ts'
import type { Preview } from './tool.ts'

/** What happened, without its place in the log. */
export type EventBody =
  | { type: 'call-start'; session: string; call: string; name: string; arguments: unknown }
  | { type: 'call-repaired'; session: string; call: string; repairs: readonly string[] }
  | {
      type: 'call-judged'
      session: string
      call: string
      decision: Decision
      rule: string
      reason: string
      trace: readonly Opinion[]
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
  /** `by` is the door the answer came through. */
  | { type: 'approval-answer'; session: string; call: string; approval: string; reply: Reply; by: string }
  /** `arguments` are there when a person changed them. */
  | { type: 'call-run'; session: string; call: string; clearedBy: string; arguments?: unknown }
  | { type: 'call-delta'; session: string; call: string; text: string }
  | { type: 'call-end'; session: string; call: string; result: Result; duration: number }

/** One entry of the log: a session is the list of these. */
export type Event = EventBody & { seq: number; at: number }

/** Hears of every event, in order. */
export type Listener = (event: Event) => void
