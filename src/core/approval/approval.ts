import type { Result } from '../call/result.ts'
import type { InputQuestion } from '../input/input.ts'
import type { Opinion } from '../rules/rule.ts'
import type { Mode } from '../session/mode.ts'
import type { Preview } from '../tool/prepared.ts'
import type { CallSummary } from './call-summary.ts'
import type { GrantChoice, GrantOffer } from './grant.ts'

/** A request for approval of one call, with its secrets masked. */
export interface ApprovalRequest {
  readonly approval: string
  readonly call: string
  readonly session: string
  readonly tool: string
  readonly workspace: string
  /** What the agent that makes the call works on; absent if no agent of a session makes it. */
  readonly label?: string
  /** The mode of the session; older requests have none. */
  readonly mode?: Mode
  /** The input that the tool would get if JSON can represent it, else the arguments as they were sent. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The arguments as they were sent, present if the tool's schema changes them. A person edits these. */
  readonly sent?: Readonly<Record<string, unknown>>
  /** What the call would do, in Haft's words; older requests have none. */
  readonly summary?: CallSummary
  /** What the call would touch, in words. */
  readonly effects: readonly string[]
  readonly rule: string
  readonly reason: string
  readonly preview?: Preview
  /** What is unusual about the call: it leaves the workspace, overwrites a file, reaches the network or needs more rights. */
  readonly unusual: readonly string[]
  /** True when the command has already run and an approval applies its changes. Its arguments can no longer be edited. */
  readonly hasRun?: true
  /** True when a dry run can show what the call would do. */
  readonly canDryRun?: true
  /** The decision of each rule that matched; older requests have none. */
  readonly trace?: readonly Opinion[]
  /** Every rule that asked. */
  readonly askedBy: readonly string[]
  /** The grants that can be given together with the approval. */
  readonly grants: readonly GrantOffer[]
  /** Digest of the tool, its schema, the arguments, the workspace and the state of the files. The approval holds for exactly this. */
  readonly digest: string
}

/** The answer to an approval request. Modified arguments go through every stage again and cannot be combined with a grant. */
export type Reply =
  | { readonly approved: true; readonly modifiedArgs?: unknown; readonly grant?: GrantChoice }
  | { readonly approved: false; readonly reason?: string }

/** Resolves to what is wrong with edited arguments, or undefined when they would be accepted. */
export type CheckArguments = (changed: unknown) => Promise<string | undefined>

/** What an approver can check before answering. Nothing of it is applied or logged. */
export interface ApprovalChecks {
  readonly check: CheckArguments
  /** Shows what the call would do. Only for requests with `canDryRun`. Never rejects. */
  dryRun(signal: AbortSignal): Promise<Result>
}

/** Someone who can be asked for an approval. If `ask` rejects, the call is denied. The signal aborts when the call is cancelled or somebody else has answered. */
export interface Approver {
  /** The interface a person answers through, for the log: `terminal`. Leave it out if the approver may be a program. */
  readonly name?: string
  ask(request: ApprovalRequest, signal: AbortSignal, checks: ApprovalChecks): Promise<Reply>
  /** Answers a question that a tool has for the person, in words. Left out if it can only approve. Rejects when it breaks; then there is no answer from here. */
  input?(question: InputQuestion, signal: AbortSignal): Promise<string>
}
