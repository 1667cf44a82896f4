import type { Outcome } from './codes.ts'
import type { Result } from './result.ts'

/** Where a task stands: a person is asked, it waits for its turn, it runs, it has ended. */
export type TaskState = 'waiting' | 'queued' | 'running' | 'ended'

/** A call in the background, in one line. */
export interface TaskRecord {
  /** The id of the call. */
  readonly task: string
  readonly session: string
  readonly tool: string
  /** As JSON text, masked and cut. */
  readonly arguments: string
  readonly state: TaskState
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly outcome: Outcome | null
  /** Milliseconds, once it has ended. */
  readonly duration: number | null
}

/** The same with what it has said so far and, once it has ended, its result. */
export interface TaskReport extends TaskRecord {
  /** What it has put out from the place that was asked for on: a number of characters from the beginning. */
  readonly output: string
  /** The place to go on from. */
  readonly next: number
  /** True where it has said more than one report holds. */
  readonly more: boolean
  readonly result: Result | undefined
}

/** How long to wait for an end. */
export interface TaskWait {
  /** Without it, as long as it takes. */
  readonly seconds?: number
  readonly signal?: AbortSignal
}

/** The calls in the background, of every process that keeps its log in the same place. */
export interface Tasks {
  /** The newest first; of one session, or of all. */
  list(filter?: { readonly session?: string; readonly limit?: number }): Promise<readonly TaskRecord[]>
  /** What is known of a task, as often as one likes; undefined where there is none of that id. */
  read(task: string, from?: number): Promise<TaskReport | undefined>
  /** Resolves when the task has ended, the time is over or the signal says so. Never rejects. */
  wait(task: string, until?: TaskWait): Promise<void>
  /** Asks for a task to end; false where there is none or it has ended. It ends a moment later, wherever it runs. */
  cancel(task: string): Promise<boolean>
  /** Resolves when no task of this process is left. */
  idle(): Promise<void>
}
