import { keepCopies } from './apply-copies.ts'
import { applySteps } from './apply-steps.ts'
import { commitJournal, endJournal, type Journal, noteCall } from './journal.ts'
import { type ApplyTarget, reportReplaced } from './report-replaced.ts'
import { settlePending } from './settle-pending.ts'
import type { Step } from './step.ts'

/** Applies steps, all or none: reports what they replace, commits the journal, and applies it. `left` stays pending afterwards. */
export function applyPlan(target: ApplyTarget, steps: readonly Step[], left?: Journal['left']): void {
  const { workspace, run, apart, call } = target
  noteCall(run, call)
  reportReplaced(steps, workspace, target)
  if (apart) keepCopies(steps, workspace, run)
  const journal = { workspace, steps, apart, ...(left && { left }) }
  commitJournal(run, journal)
  applySteps(run, journal, false)
  settlePending(run, journal)
  endJournal(run)
}
