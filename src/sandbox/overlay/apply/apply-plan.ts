import type { Replaced } from '../../../core/ports/files.ts'
import { keepCopies } from './apply-copies.ts'
import { applySteps } from './apply-steps.ts'
import { commitJournal, forgetJournal, type Step } from './journal.ts'
import { reportReplaced } from './report-replaced.ts'

/** Whose changes are applied, from which run folder to which workspace. */
export interface ApplyTarget {
  readonly workspace: string
  /** The run folder. */
  readonly run: string
  readonly call: string
  /** True when the run folder is on another file system than the workspace. */
  readonly apart: boolean
  /** The largest file kept for undo, in bytes. */
  readonly keptLimit: number
  replaced(record: Replaced): void
}

/** Applies steps, all or none: reports what they replace, commits the journal, and applies it. */
export function applyPlan(target: ApplyTarget, steps: readonly Step[]): void {
  const { workspace, run, apart } = target
  reportReplaced(steps, workspace, target)
  if (apart) keepCopies(steps, workspace, run)
  const journal = { workspace, steps, apart }
  commitJournal(run, journal)
  applySteps(run, journal)
  forgetJournal(run)
}
