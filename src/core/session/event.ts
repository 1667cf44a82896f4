import type { Reply } from '../approval/approval.ts'
import type { Outcome } from '../call/codes.ts'
import type { Result } from '../call/result.ts'
import type { PathKind } from '../ports/path-lookup.ts'
import type { Decision, Opinion } from '../rules/rule.ts'
import type { DelegateAnswer, DelegateEffect } from '../tool/delegate.ts'
import type { Preview } from '../tool/prepared.ts'
import type { Message, MessageCall } from './message.ts'
import type { Mode } from './mode.ts'
import type { SessionChange, SessionStart } from './session-record.ts'

export type { Message, MessageCall }

/** What every event of a session has. */
interface InSession<Type extends string> {
  type: Type
  session: string
}

/** What every event of a call has. */
interface InCall<Type extends string> extends InSession<Type> {
  call: string
}

/** What happens to a session as a whole. */
type SessionEvent =
  /** A session began. */
  | (InSession<'session-start'> & SessionStart)
  /** The title, model or mode of a session changed. */
  | (InSession<'session-changed'> & SessionChange)
  /** A session was deleted. */
  | InSession<'session-delete'>
  /** The snapshot of a session under way was replaced: the names that came, went or now mean other code. */
  | (InSession<'tools-changed'> & { added: readonly string[]; removed: readonly string[]; changed: readonly string[] })
  /** The to-do list of the session was replaced. */
  | (InSession<'todos'> & { items: readonly Todo[] })

/** One line of a session's to-do list. */
export interface Todo {
  readonly text: string
  readonly state: 'open' | 'active' | 'done'
}

/** What happens while a model works. */
type RunEvent =
  /** A model starts to work on a message. */
  | (InSession<'run-start'> & { model: string; mode: Mode })
  /** A complete message of the person or the model. */
  | (InSession<'message'> & Message)
  /** A piece of a message that is being written; `offset` is where it begins in its stream. */
  | (InSession<'message-delta'> & { text: string; offset: number; reasoning?: true })
  /** A model has replied: which step of the run it was, the tokens and the time it took, and what had to be repaired. */
  | (InSession<'model-call'> & { step: number; usage: Usage; ms: number; repairs?: readonly string[] })
  /** What a model is no longer sent: messages up to an event, outputs of calls; `summary` stands in their place. */
  | (InSession<'context-folded'> & { upTo: string; outputs?: readonly string[]; summary?: string })
  /** Somebody, in whatever process, asks for the run to stop. */
  | (InSession<'run-stop'> & { by: string })
  /** A run ended, and why. */
  | (InSession<'run-end'> & { reason: RunEndReason; summary?: string; steps: number })

/** Tokens that one reply of a model took. */
export interface Usage {
  readonly input?: number
  readonly output?: number
}

/** Why a run ended. */
export type RunEndReason = 'complete' | 'reply' | 'limit' | 'loop' | 'cancelled' | 'failed'

/** What happens to one call. */
type CallEvent =
  /** A call was received. `arguments` are as they were sent, with secrets masked. */
  | (InCall<'call-start'> & { name: string; arguments: unknown })
  /** Malformed arguments were repaired; each repair is described. */
  | (InCall<'call-repaired'> & { repairs: readonly string[] })
  /** The rules decided about the call; `trace` lists what each rule said. `arguments` are there if the tool's schema parsed them to other values that JSON can carry. */
  | (InCall<'call-judged'> & {
      decision: Decision
      rule: string
      reason: string
      trace: readonly Opinion[]
      /** The mode it was judged in; older events have none. */
      mode?: Mode
      /** What lay at paths that it would touch, relative to the workspace, where the rules looked. */
      existence?: Readonly<Record<string, PathKind>>
      arguments?: unknown
    })
  /** A person must approve the call. It waits for an `approval-answer`. */
  | (InCall<'approval-request'> & {
      approval: string
      tool: string
      arguments: unknown
      effects: readonly string[]
      rule: string
      reason: string
      preview?: Preview
      unusual: readonly string[]
    })
  /** The answer to an approval request. `by` names the interface that it came through, or who had decided in advance. */
  | (InCall<'approval-answer'> & { approval: string; reply: Reply; by: string })
  /** A tool asks the person for something other than an approval. */
  | (InCall<'input-request'> & { input: string; question: string; schema?: unknown })
  /** The answer to an `input-request`. */
  | (InCall<'input-answer'> & { input: string; answer: unknown; by: string })
  /** The app is asked to open, show or close something. */
  | (InCall<'delegate-request'> & { delegate: string; effect: DelegateEffect })
  /** The answer of the app to a `delegate-request`. */
  | (InCall<'delegate-answer'> & { delegate: string; answer: DelegateAnswer })
  /** The call passes the commit point. `clearedBy` is that of the cleared call; `arguments` are there when a person changed them. */
  | (InCall<'call-run'> & { clearedBy: string; arguments?: unknown })
  /** A piece of output; `offset` is where it begins in the call's output. */
  | (InCall<'call-delta'> & { text: string; offset: number })
  /** The tool is still at work and has had no output for a while. */
  | (InCall<'call-progress'> & { seconds: number })
  /** Something went wrong that changes no result, such as a cleanup that failed. */
  | (InCall<'call-problem'> & { text: string })
  /** From here on the call is a task: its caller has gone on. */
  | InCall<'task-start'>
  /** Somebody, in whatever process, asks for the task to end. */
  | InCall<'task-cancel'>
  /** A background task ended. */
  | (InCall<'task-end'> & { outcome: Outcome })
  /** The call ended. `duration` is in milliseconds. */
  | (InCall<'call-end'> & { result: Result; duration: number })

/** What happened, before the log has given it an id. */
export type EventBody = SessionEvent | RunEvent | CallEvent

/** One entry of the log: a session is the list of these. */
export type Event = EventBody & {
  /** Given when the event is appended; unique over all processes. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** An event with its place in the order of commits: given by the commit, the same for every reader, never changed. */
export type CommittedEvent = Event & { readonly cursor: number }

/** Hears of every event of its process, in order, before it is committed. */
export type Listener = (event: Event) => void

/** True for pieces of a stream: they may be merged and removed once the whole is in the log. */
export function isDelta(event: EventBody): event is Extract<EventBody, { type: 'call-delta' | 'message-delta' }> {
  return event.type === 'call-delta' || event.type === 'message-delta'
}
