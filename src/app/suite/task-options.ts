import type { Listener } from '../../core/session/event.ts'
import type { Mode } from '../../core/session/mode.ts'

/** How tasks are run. */
export interface TaskOptions {
  /** The model as `--model` names it. `replay:FOLDER` and `record` name a folder with a file for each task. */
  readonly model: string
  readonly record?: string
  /** In place of the mode of each task. */
  readonly mode?: Mode
  /** Approves what would ask; a task that asks is denied otherwise. */
  readonly yes?: boolean
  /** Keeps the workspaces. */
  readonly keep?: boolean
  /** Stops the run. */
  readonly signal: AbortSignal
  /** Called with every event of a task while it runs. */
  onEvent?: Listener
}
