import { applySteps } from './apply-steps.ts'
import { commitJournal, endJournal, type Journal, noteCall, readJournal } from './journal.ts'
import { type ApplyTarget, reportReplaced } from './report-replaced.ts'
import { settlePending } from './settle-pending.ts'
import { removeBeside, stageBeside } from './stage-beside.ts'
import type { Step } from './step.ts'

/** Applies steps, all or none: reports what they replace, commits the journal, and applies it. `left` stays pending afterwards. */
export function applyPlan(target: ApplyTarget, steps: readonly Step[], left?: Journal['left']): void {
  const { workspace, run, apart, call } = target
  try {
    const staged = apart ? stageBeside(steps, workspace, run) : { steps }
    noteCall(run, call)
    reportReplaced(steps, workspace, target)
    const journal = { workspace, ...staged, ...(left && { left }) }
    commitJournal(run, journal)
    applySteps(run, journal, false)
    settlePending(run, journal)
    endJournal(run)
  } finally {
    if (!readJournal(run)) removeBeside(run)
  }
}
