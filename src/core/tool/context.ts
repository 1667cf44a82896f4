import type { Tasks } from '../call/task.ts'
import type { Files, ReadFiles } from '../ports/files.ts'
import type { Outputs } from '../ports/outputs.ts'
import type { RunOrder, RunReport } from '../ports/sandbox.ts'
import type { DelegateAnswer, DelegateEffect } from './delegate.ts'

/** What a tool can use before the commit point, to check and preview. Nothing here changes anything. */
export interface PrepareContext {
  readonly workspace: string
  readonly session: string
  readonly call: string
  readonly signal: AbortSignal
  readonly outputs: Outputs
  readonly files: ReadFiles
  /** Asks the app to show, open or close something. If there is no app, the answer says so. Never rejects. */
  delegate(effect: DelegateEffect): Promise<DelegateAnswer>
  /** Runs a program on an overlay of the workspace and applies nothing, to show what a tool would do. */
  dryRun(order: RunOrder): Promise<RunReport>
}

/** What a tool can use while it runs: the same, with write access, programs, tasks and streamed output. */
export interface ToolContext extends PrepareContext {
  readonly files: Files
  /** Runs a program in the sandbox for this call. The program is ended when the call ends. */
  run(order: RunOrder): Promise<RunReport>
  /** The calls in the background. */
  readonly tasks: Tasks
  /** Streams a piece of output to all front ends. Ignored once the call has ended. */
  delta(text: string): void
}
