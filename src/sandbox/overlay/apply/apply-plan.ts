import { keepCopies } from './apply-copies.ts'
import { applySteps } from './apply-steps.ts'
import { commitJournal, forgetJournal, type Step } from './journal.ts'
import { type ApplyTarget, reportReplaced } from './report-replaced.ts'

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
