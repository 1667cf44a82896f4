import type { Tasks } from '../call/task.ts'
import type { InputAnswer, InputQuestion } from '../input/input.ts'
import type { Agents } from '../ports/agents.ts'
import type { Files, ReadFiles } from '../ports/files.ts'
import type { Outputs } from '../ports/outputs.ts'
import type { RunOrder, RunReport } from '../ports/sandbox.ts'
import type { Todo } from '../session/todo.ts'
import type { DelegateAnswer, DelegateEffect } from './delegate.ts'

/** A tool that a search found. */
export interface FoundTool {
  /** The name that models call it by. */
  readonly name: string
  readonly description: string
}

/** What a tool may reach while it checks and previews: nothing here changes the world. */
export interface PrepareContext {
  readonly workspace: string
  readonly session: string
  readonly call: string
  readonly signal: AbortSignal
  readonly outputs: Outputs
  readonly files: ReadFiles
  /** Asks the app to show, open or close something; with nobody there the answer says so. Never rejects. */
  delegate(effect: DelegateEffect): Promise<DelegateAnswer>
  /** Runs a program on an overlay of the workspace and applies nothing: for what a tool would do. */
  dryRun(order: RunOrder): Promise<RunReport>
}

/** What a tool may reach while it runs: the same, and a voice. */
export interface ToolContext extends PrepareContext {
  readonly files: Files
  /** Runs a program in the sandbox, in this call's name; ended when the call is. */
  run(order: RunOrder): Promise<RunReport>
  /** The calls in the background. */
  readonly tasks: Tasks
  /** The agents of this call's session. */
  readonly agents: Agents
  /** Asks the person something and waits for the answer, which any front end may give; the time limit is held meanwhile. Says so where nobody can be asked. Never rejects. */
  input(question: InputQuestion): Promise<InputAnswer>
  /** Replaces the to-do list of the session. */
  todos(items: readonly Todo[]): void
  /** Finds tools of the session by words. */
  findTools(query: string): readonly FoundTool[]
  /** Streams a piece of output to every face; ignored once the call has ended. */
  delta(text: string): void
}
