import type { Outcome } from './codes.ts'
import type { Result } from './result.ts'

/** The state of a task: waiting for an approval, queued, running or ended. */
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

/** A task with its output so far and, once it has ended, its result. */
export interface TaskReport extends TaskRecord {
  /** Its output from the requested offset on, in characters. */
  readonly output: string
  /** The offset of the next piece of output. */
  readonly next: number
  /** True if there is more output than one report holds. */
  readonly more: boolean
  readonly result: Result | undefined
}

/** How long to wait for the end of a task. */
export interface TaskWait {
  /** No limit when left out. */
  readonly seconds?: number
  readonly signal?: AbortSignal
}

/** The background calls of all processes that share one log. */
export interface Tasks {
  /** Lists tasks of one session or of all, the newest first; those that have not ended are listed beyond the limit too. */
  list(filter?: { readonly session?: string; readonly limit?: number }): Promise<readonly TaskRecord[]>
  /** Resolves to the report of a task, or undefined if there is no task with that id. May be called any number of times. */
  read(task: string, from?: number): Promise<TaskReport | undefined>
  /** Resolves when the task has ended, the time is up or the signal aborts. Never rejects. */
  wait(task: string, until?: TaskWait): Promise<void>
  /** Requests the end of a task, in whatever process it runs; it ends a moment later. False if there is no such task or it has ended. */
  cancel(task: string): Promise<boolean>
  /** Resolves when all tasks of this process have ended. */
  idle(): Promise<void>
}
