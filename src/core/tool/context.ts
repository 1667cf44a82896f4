import type { Agents } from '../agents/agents.ts'
import type { Tasks } from '../call/task.ts'
import type { InputAnswer, InputQuestion } from '../input/input.ts'
import type { Proposals } from '../plans/proposals.ts'
import type { CodeSearch } from '../ports/developer/code-search.ts'
import type { EditChecks } from '../ports/developer/edit-checks.ts'
import type { Machine } from '../ports/developer/machine.ts'
import type { Files, ReadFiles } from '../ports/files.ts'
import type { Http } from '../ports/http.ts'
import type { Outputs } from '../ports/outputs.ts'
import type { RunOrder, RunReport } from '../ports/sandbox.ts'
import type { Todo } from '../session/todo.ts'
import type { DelegateAnswer, DelegateEffect, OpenEffect } from './delegate.ts'

/** A tool that a search found. */
export interface FoundTool {
  /** The name that models call it by. */
  readonly name: string
  readonly description: string
}

/** What a tool can use before the commit point, to check and preview. Nothing here changes anything. */
export interface PrepareContext {
  readonly workspace: string
  readonly session: string
  readonly call: string
  readonly signal: AbortSignal
  readonly outputs: Outputs
  readonly files: ReadFiles
  /** Plans that the call may propose. */
  readonly plans: Pick<Proposals, 'check'>
  /** Asks the app to show, open or close something. If there is no app, the answer says so. Never rejects. */
  delegate(effect: DelegateEffect): Promise<DelegateAnswer>
  /** Names the program that the app of this process would open a file with; undefined where it has none. Throws ToolError where it would not open it. */
  opener(effect: OpenEffect): string | undefined
  /** Runs a program on an overlay of the workspace and applies nothing, to show what a tool would do. */
  dryRun(order: RunOrder): Promise<RunReport>
}

/** What a tool can use while it runs: the same, with write access, programs, tasks and streamed output. */
export interface ToolContext extends PrepareContext {
  readonly files: Files
  /** Runs a program in the sandbox for this call. The program is ended when the call ends. */
  run(order: RunOrder): Promise<RunReport>
  /** The network, as far as this call may reach it. */
  readonly http: Http
  /** What a few tools do outside the sandbox: a push with the person's credentials, the list of processes. */
  readonly machine: Machine
  /** Finds code by meaning. */
  readonly code: Pick<CodeSearch, 'search'>
  /** Whether edits are followed by the project's own checkers. */
  readonly editChecks: EditChecks
  /** The calls in the background. */
  readonly tasks: Tasks
  /** The agents of this call's session. */
  readonly agents: Agents
  readonly plans: Proposals
  /** Asks the person something and waits for the answer, which any front end may give. The time limit is held meanwhile. Says so if nobody can be asked. Never rejects. */
  input(question: InputQuestion): Promise<InputAnswer>
  /** Replaces the to-do list of the session. */
  todos(items: readonly Todo[]): void
  /** Finds tools of the session by words. */
  findTools(query: string): readonly FoundTool[]
  /** Streams a piece of output to all front ends. Ignored once the call has ended. */
  delta(text: string): void
}
