import type { Failure } from '../../core/call/result.ts'
import type { JsonSchema } from '../../core/text/json.ts'
import type { Alias } from '../../core/tool/alias.ts'
import type { Effect } from '../../core/tool/tool.ts'

/** The file descriptors of the process: Haft's messages come in on the first, answers go out on the second, a JSON value a line. */
export const MESSAGES_IN = 3
export const MESSAGES_OUT = 4

/** The argument after which a program finds the file with the one call that it runs. */
export const ONCE = '--once'

/** The longest message, in characters: a result that is larger fails. */
export const MAX_MESSAGE = 50_000_000

/** A tool file as it was read: the process loads this text, whatever the disk holds by then. */
export interface FileText {
  /** Absolute. */
  readonly file: string
  readonly text: string
}

/** A tool file with the files beside it that are there to be imported. */
export interface GivenFile {
  readonly file: FileText
  readonly helpers: readonly FileText[]
}

/** What of a tool is to be run. */
export type Member = 'parse' | 'foresee' | 'approval' | 'prepare' | 'plan' | 'step' | 'cleanup' | 'execute'

/**
 * The input of a call: plain data; or what the tool's own schema made of the arguments, as bytes of `v8.serialize` where JSON cannot
 * carry it; or the arguments, to be parsed again, where that cannot either.
 */
export type SentInput = { readonly value: unknown } | { readonly bytes: string } | { readonly unparsed: unknown }

/** What the tool's own schema made of arguments. */
export type ParsedAnswer = { readonly issues: unknown } | SentInput

/** What `foresee` answers: what the call would touch, and how many seconds it may take. */
export interface Foreseen {
  readonly touches?: unknown
  readonly timeout?: unknown
}

/** What `plan` answers: the steps that a call has. */
export interface PlanShape {
  readonly steps: number
  /** How many steps lie before the approval point, where there is one. */
  readonly approvalAt?: number | undefined
  readonly cleanups: number
}

/** Which step or cleanup of a call is to be run. */
export interface StepOrder {
  readonly index: number
  readonly shape: PlanShape
  /** The answer of the app, where the step before asked it. */
  readonly answer?: unknown
  /** How the call ended, for a cleanup. */
  readonly result?: unknown
}

/** What `step` answers. The value for the next step stays in the process. */
export type StepReply =
  | { readonly step: 'next'; readonly seen?: unknown }
  | { readonly step: 'output'; readonly returned: Returned }
  | { readonly step: 'delegate'; readonly effect: unknown }
  | Failure

/** What an answered call returned; `text` and `frame` are there where the tool chose the words. */
export interface Returned {
  readonly data: unknown
  readonly text?: string
  readonly frame?: string
}

export interface CallMessage {
  readonly type: 'call'
  readonly id: number
  readonly member: Member
  readonly file: string
  readonly tool: string
  readonly input: SentInput
  readonly step?: StepOrder
  readonly context: { readonly workspace: string; readonly session: string; readonly call: string }
}

/** True for what may be run once only: all that lies behind the commit point. */
export function isOnceOnly({ member, step }: Pick<CallMessage, 'member' | 'step'>): boolean {
  if (member === 'step') return step !== undefined && step.index >= (step.shape.approvalAt ?? 0)
  return member === 'execute' || member === 'cleanup'
}

/** What Haft sends. */
export type ToProcess =
  /** Messages about loading carry the key, so that a tool file cannot forge them. */
  | {
      readonly type: 'load'
      readonly key: string
      readonly files: readonly FileText[]
      readonly helpers: readonly FileText[]
    }
  | CallMessage
  | { readonly type: 'cancel'; readonly id: number; readonly reason: string }

/** What the process sends. It may be anything: tool files can write to the descriptor too. */
export type FromProcess =
  /** It reads messages from here on. */
  | { readonly type: 'ready' }
  | { readonly type: 'loaded'; readonly key: string; readonly files: readonly LoadedFile[] }
  | { readonly type: 'begun'; readonly id: number }
  | { readonly type: 'output'; readonly id: number; readonly text: string }
  | { readonly type: 'done'; readonly id: number; readonly value?: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly failure: Failure }
  /** The process is about to end itself: by which call, where one is known. */
  | { readonly type: 'exit'; readonly id?: number; readonly code: number }

/** Something in a file that cannot be used; of a warning the tool can be. */
export interface FileProblem {
  readonly line?: number
  readonly reason: string
  readonly isWarning?: true
}

/** One call with all that it needs, for a process that runs nothing else. */
export interface OnceOrder extends GivenFile {
  readonly call: CallMessage
}

/** One file after loading. */
export interface LoadedFile {
  readonly file: string
  readonly tools: readonly ToolDescription[]
  readonly problems: readonly FileProblem[]
  readonly isBroken: boolean
}

/** A tool without its functions. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly line?: number
  readonly parameters: JsonSchema
  /** The library of the input schema, where it is the author's library and not JSON Schema that has the last word. */
  readonly vendor?: string
  readonly output?: JsonSchema
  readonly effect?: Effect
  readonly approval?: boolean
  readonly timeout?: number
  readonly main?: string
  readonly aliases?: readonly (string | Alias)[]
  readonly idempotent?: boolean
  readonly endsRun?: boolean
  /** The members that are functions. */
  readonly functions: readonly ('touches' | 'approval' | 'prepare' | 'timeout' | 'steps')[]
}
