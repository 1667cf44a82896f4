import type { Result } from '../call/result.ts'
import type { Mode } from '../session/mode.ts'
import type { Preview } from '../tool/prepared.ts'
import type { GrantChoice, GrantOffer } from './grant.ts'

/** What a person is asked, its secrets masked. */
export interface ApprovalRequest {
  readonly approval: string
  readonly call: string
  readonly session: string
  readonly tool: string
  readonly workspace: string
  /** The mode of the session; older requests have none. */
  readonly mode?: Mode
  /** What the tool would get, where that is an object that JSON can carry; else the arguments as they were sent. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The arguments as they were sent, where the tool's schema makes something else of them: these are what a person edits. */
  readonly sent?: Readonly<Record<string, unknown>>
  /** What the call would touch, in words. */
  readonly effects: readonly string[]
  readonly rule: string
  readonly reason: string
  readonly preview?: Preview
  /** What is out of the ordinary: it leaves the workspace, overwrites, reaches the network, takes more rights. */
  readonly unusual: readonly string[]
  /** The command has run, and a yes applies what it did: it may be answered with yes and no, and arguments can no longer be changed. */
  readonly hasRun?: true
  /** What it would do can be shown by doing it where nothing is applied. */
  readonly canDryRun?: true
  /** Every rule that asked. */
  readonly askedBy: readonly string[]
  /** What may be remembered with a yes. */
  readonly grants: readonly GrantOffer[]
  /** Stands for tool, schema, arguments, workspace and what was seen of the files: a yes is to this and nothing else. */
  readonly digest: string
}

/** What a person answered; `modifiedArgs` go through every stage again, and cannot be granted. */
export type Reply =
  | { readonly approved: true; readonly modifiedArgs?: unknown; readonly grant?: GrantChoice }
  | { readonly approved: false; readonly reason?: string }

/** Says what is wrong with changed arguments; undefined when they would do. */
export type CheckArguments = (changed: unknown) => Promise<string | undefined>

/** What a person may try before they answer; none of it is an answer, and nothing of it is applied or logged. */
export interface Trials {
  readonly check: CheckArguments
  /** Shows what the call would do; never rejects. Only where the question says that it can. */
  dryRun(signal: AbortSignal): Promise<Result>
}

/** Someone who can be asked. Resolves once; rejects only when it breaks, which denies. The signal also says that somebody else has answered. */
export interface Approver {
  /** Through which interface a person answers, for the log: `terminal`. Left out where it may be no person. */
  readonly name?: string
  ask(request: ApprovalRequest, signal: AbortSignal, trials: Trials): Promise<Reply>
}
