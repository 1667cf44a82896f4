import type { Result } from '../call/result.ts'
import type { Decision } from '../rules/rule.ts'
import type { Preview } from '../tool/prepared.ts'
import type { Event, RunEndReason, Todo } from './event.ts'
import type { Attachment } from './message.ts'
import type { Mode } from './mode.ts'

/** A message as a front end shows it; `isStreaming` while it is still being written. */
export interface MessageItem {
  readonly kind: 'message'
  readonly id: string
  readonly at: number
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
  readonly reasoning: string
  /** How long the model reasoned before it wrote, in milliseconds; absent where that is not known. */
  readonly thoughtMs?: number
  readonly attachments: readonly Attachment[]
  /** True for a message that Haft wrote to the model; a person wrote the others of the role `user`. */
  readonly isNotice?: true
  readonly isStreaming: boolean
}

/** An approval request of a call, and its answer once there is one. */
export interface ApprovalView {
  readonly approval: string
  readonly reason: string
  readonly effects: readonly string[]
  readonly unusual: readonly string[]
  readonly preview?: Preview
  /** `isEdited` where the person changed the arguments before they approved. */
  readonly answer?: {
    readonly approved: boolean
    readonly by: string
    readonly reason?: string
    readonly isEdited?: true
  }
}

/** A request of a tool to the person or the app, and the answer once there is one. */
export interface RequestView {
  readonly id: string
  readonly kind: 'input' | 'delegate'
  readonly asked: unknown
  /** The answers that a question offers. */
  readonly options?: readonly string[]
  readonly answer?: unknown
}

/** A call as a front end shows it. */
export interface CallItem {
  readonly kind: 'call'
  readonly id: string
  readonly at: number
  readonly call: string
  readonly name: string
  /** The arguments that run: the proposed ones, or those that a person changed. */
  readonly arguments: unknown
  /** The arguments that were proposed, where a person changed them. */
  readonly proposed?: unknown
  readonly state: 'started' | 'waiting' | 'queued' | 'running' | 'ended'
  readonly isTask: boolean
  readonly decision?: Decision
  readonly rule?: string
  readonly reason?: string
  readonly clearedBy?: string
  readonly repairs: readonly string[]
  readonly problems: readonly string[]
  /** Ports that it opened on this machine; closed when it ends. */
  readonly ports?: readonly { readonly inside: number; readonly url: string }[]
  readonly approvals: readonly ApprovalView[]
  readonly requests: readonly RequestView[]
  /** Its output so far. Once the call has ended, the result has the full output. */
  readonly output: string
  readonly result?: Result
  /** Milliseconds. */
  readonly duration?: number
}

/** A note between messages and calls: a run began or ended, a model is asked again, the context was compacted, tools changed, a plan rests. */
export interface NoteItem {
  readonly kind: 'note'
  readonly id: string
  readonly at: number
  readonly event: Extract<
    Event,
    {
      type:
        | 'run-start'
        | 'run-stop'
        | 'run-end'
        | 'model-retry'
        | 'context-folded'
        | 'tools-changed'
        | 'session-delete'
        | 'plan-report'
    }
  >
}

export type SessionItem = MessageItem | CallItem | NoteItem

/** A session reconstructed from its events: everything that a front end needs to show it. */
export interface SessionView {
  readonly session: string
  readonly workspace: string | undefined
  readonly parent: string | undefined
  readonly title: string | undefined
  readonly model: string | undefined
  readonly mode: Mode | undefined
  /** Absent means all, empty means none. */
  readonly tools: readonly string[] | undefined
  readonly mcpServers: readonly string[] | undefined
  readonly only: true | undefined
  readonly isRunning: boolean
  readonly isDeleted: boolean
  /** How the last run ended. */
  readonly ended: RunEndReason | undefined
  readonly todos: readonly Todo[]
  /** Tokens of all replies; `context` is what the last one was sent, `cost` there where the settings give a price. */
  readonly usage: { readonly input: number; readonly output: number; readonly context?: number; readonly cost?: number }
  readonly items: readonly SessionItem[]
  /** The end offsets of unfinished streams. Pieces before them were already added. */
  readonly streamed: Readonly<Record<string, number>>
}
