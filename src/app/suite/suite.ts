import type { Mode } from '../../core/session/mode.ts'

/** A list of tasks, as a suite file gives it. */
export interface Suite {
  readonly tasks: readonly SuiteTask[]
}

/** One task: what a model is asked, and a command that tells whether it was done. */
export interface SuiteTask {
  /** Names the task in tables and recordings: lower-case letters, digits and hyphens. */
  readonly name: string
  readonly prompt: string
  /** The files of the workspace before the task, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Ends with exit code 0 if, and only if, the task was done. Runs in the sandbox, never by the model. */
  readonly verify: string
  /** Files that are written just before `verify` runs; the model never sees them. */
  readonly verifyFiles: Readonly<Record<string, string>>
  /** Seconds for the run of the model. */
  readonly timeLimit: number
  /** Replies of the model at most; that of every run when left out. */
  readonly maxSteps?: number
  /** The only tools of the session; all when left out. */
  readonly tools?: readonly string[]
  /** Tools without which the task is not run. */
  readonly needs: readonly string[]
  /** The mode of the session; `edit` when left out, since nobody is asked. */
  readonly mode?: Mode
}

/** How a task ended with one model. */
export interface TaskReport {
  readonly task: string
  readonly model: string
  readonly state: 'passed' | 'failed' | 'not run'
  /** Why it did not pass; empty where it did. */
  readonly reason: string
  /** Replies of the model, those of sub-agents included, as everything below. */
  readonly steps: number
  /** Replies and calls that had to be repaired. */
  readonly repairs: number
  readonly tokens: number
  /** True where a server did not report tokens and they were estimated. */
  readonly isEstimated: boolean
  readonly cost: number
  readonly seconds: number
  /** The session, for `haft sessions ID`. */
  readonly session?: string
  /** The last lines that the verify command printed, where it failed. */
  readonly output?: string
  /** The workspace, where it is kept. */
  readonly workspace?: string
}

/** What is wrong with a suite file, and where. */
export class SuiteError extends Error {
  override name = 'SuiteError'
}
