import type { Reply } from '../approval/approval.ts'
import type { Outcome } from '../call/codes.ts'
import type { Result } from '../call/result.ts'
import type { PlanEvent } from '../plans/plan-event.ts'
import type { PathKind } from '../ports/path-lookup.ts'
import type { ChangedFiles } from '../ports/sandbox.ts'
import type { Decision, Opinion } from '../rules/rule.ts'
import type { DelegateAnswer, DelegateEffect } from '../tool/delegate.ts'
import type { Preview } from '../tool/prepared.ts'
import type { Message, MessageCall } from './message.ts'
import type { Mode } from './mode.ts'
import type { RunEndReason } from './run-end-reason.ts'
import type { SessionChange, SessionStart } from './session-record.ts'
import type { Todo } from './todo.ts'

export type { Message, MessageCall, RunEndReason, Todo }

/** The members of every event of a session. */
interface InSession<Type extends string> {
  type: Type
  session: string
}

/** The members of every event of a call. */
interface InCall<Type extends string> extends InSession<Type> {
  call: string
}

/** Events of a session itself. */
type SessionEvent =
  /** A session began. */
  | (InSession<'session-start'> & SessionStart)
  /** The title, model or mode of a session changed. */
  | (InSession<'session-changed'> & SessionChange)
  /** A session was deleted. */
  | InSession<'session-delete'>
  /** The snapshot of a running session was replaced: names that were added, removed, or now have other code. */
  | (InSession<'tools-changed'> & { added: readonly string[]; removed: readonly string[]; changed: readonly string[] })
  /** The to-do list of the session was replaced. */
  | (InSession<'todos'> & { items: readonly Todo[] })

/** What happens while a model works. */
type RunEvent =
  /** A model starts to work on a message. */
  | (InSession<'run-start'> & { model: string; mode: Mode })
  /** A complete message of the person or the model. */
  | (InSession<'message'> & Message)
  /** A piece of a message that is being written; `offset` is where it begins in its stream. */
  | (InSession<'message-delta'> & { text: string; offset: number; reasoning?: true })
  /** A model's server did not answer or refused, nothing was received, and it is asked again after so many seconds; or it left the tools out, and a reply without calls is asked for again with them in the prompt. */
  | (InSession<'model-retry'> & { reason: string; seconds: number })
  /** A model has replied: which step of the run it was, the tokens and the time it took, how long of it the model reasoned, what had to be repaired, and, where it differs from the step before, which tools were described to it in a simpler form, and which were left out since its server refuses their definitions. */
  | (InSession<'model-call'> & {
      step: number
      usage: Usage
      ms: number
      /** Milliseconds from the request to the last piece of reasoning; absent where none was streamed. */
      thoughtMs?: number
      repairs?: readonly string[]
      simplified?: readonly string[]
      leftOut?: readonly string[]
    })
  /** What is no longer sent to the model: messages up to an event, and outputs of calls; `summary` replaces them. */
  | (InSession<'context-folded'> & { upTo: string; outputs?: readonly string[]; summary?: string })
  /** A request, from any process, to stop the run. */
  | (InSession<'run-stop'> & { by: string })
  /** A run ended, and why. */
  | (InSession<'run-end'> & { reason: RunEndReason; summary?: string; steps: number })

/** Tokens that one reply of a model took. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  /** True where the server did not report a number and it was estimated from the length of the text. */
  readonly estimated?: true
  /** What the reply cost, in the currency of the price in the settings. Absent where no price is set. */
  readonly cost?: number
}

/** What happens to one call. */
type CallEvent =
  /** A call was received. `arguments` are as they were sent, with secrets masked. */
  | (InCall<'call-start'> & { name: string; arguments: unknown })
  /** Malformed arguments were repaired; each repair is described. */
  | (InCall<'call-repaired'> & { repairs: readonly string[] })
  /** The rules decided about the call; `trace` lists the decision of each rule that matched. `arguments` are there if the tool's schema parsed them to other values that JSON can represent. */
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
      /** What the agent that makes the call works on. */
      label?: string
      arguments: unknown
      effects: readonly string[]
      rule: string
      reason: string
      preview?: Preview
      unusual: readonly string[]
    })
  /** The answer to an approval request. `by` names the interface that it came through, or who had decided in advance. */
  | (InCall<'approval-answer'> & { approval: string; reply: Reply; by: string })
  /** A tool asks the person for something other than an approval. With `openUntil`, in milliseconds since 1970, the answer is the result of the call and is taken until then, also after the process that asked has died. */
  | (InCall<'input-request'> & {
      input: string
      question: string
      options?: readonly string[]
      schema?: unknown
      openUntil?: number
    })
  /** The answer to an `input-request`; of several the first counts. `answer` is null where there is none: `by` says why. */
  | (InCall<'input-answer'> & { input: string; answer: unknown; by: string })
  /** The app is asked to open, show or close something. */
  | (InCall<'delegate-request'> & { delegate: string; effect: DelegateEffect })
  /** The answer of the app to a `delegate-request`. */
  | (InCall<'delegate-answer'> & { delegate: string; answer: DelegateAnswer })
  /** The call passes the commit point. `clearedBy` is that of the cleared call; `arguments` are there when a person changed them. */
  | (InCall<'call-run'> & { clearedBy: string; arguments?: unknown })
  /** A piece of output; `offset` is where it begins in the call's output. */
  | (InCall<'call-delta'> & { text: string; offset: number })
  /** A command of the call connected to a host, or was refused. */
  | (InCall<'call-connect'> & { host: string; allowed: boolean; reason?: string })
  /** A port that a command listens on is open on this machine until the call ends. */
  | (InCall<'task-port'> & { inside: number; port: number; url: string })
  /** The tool is still running and has had no output for a while. */
  | (InCall<'call-progress'> & { seconds: number })
  /** Something went wrong that changes no result, such as a cleanup that failed. */
  | (InCall<'call-problem'> & { text: string })
  /** A request, from any process, to end a call in the foreground. `by` names the interface that it came through. */
  | (InCall<'call-cancel'> & { by: string })
  /** A request, from any process, to let a running call go on in the background; `task-start` follows where that is possible. */
  | (InCall<'call-background'> & { by: string })
  /** The call became a background task; its caller no longer waits for it. */
  | InCall<'task-start'>
  /** A request, from any process, to end the task. */
  | InCall<'task-cancel'>
  /** Changes of the task that had waited, since they conflicted with others, were applied; `left` is what waits on. `by` names the interface that the decision came through. */
  | (InCall<'task-apply'> & { changed: ChangedFiles; left?: ChangedFiles; by: string })
  /** Changes of the task that had waited were discarded. */
  | (InCall<'task-discard'> & { discarded: ChangedFiles; by: string })
  /** A background task ended. */
  | (InCall<'task-end'> & { outcome: Outcome })
  /** The call ended. `duration` is in milliseconds. */
  | (InCall<'call-end'> & { result: Result; duration: number })

/** An event before the log has given it an id. */
export type EventBody = SessionEvent | RunEvent | CallEvent | PlanEvent

/** One entry of the log. A session is the list of its events. */
export type Event = EventBody & {
  /** Given when the event is appended; unique over all processes. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** An event with its cursor, its position in the order of commits. The cursor is the same for every reader and never changes. */
export type CommittedEvent = Event & { readonly cursor: number }

/** Called with every event of its process, in order, before the event is committed. */
export type Listener = (event: Event) => void

/** True for pieces of a stream. They may be merged, and removed once the complete text is in the log. */
export function isDelta(event: EventBody): event is Extract<EventBody, { type: 'call-delta' | 'message-delta' }> {
  return event.type === 'call-delta' || event.type === 'message-delta'
}
