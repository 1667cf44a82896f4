import { messageOf } from '../../core/call/result.ts'
import { applySteps } from './apply/apply-steps.ts'
import { type Journal, readJournal } from './apply/journal.ts'
import { readPending } from './pending/pending-record.ts'
import { findAbandoned, removeIfEmpty, removeRunFolder } from './run-folder.ts'

/** Finishes the runs of dead processes: applies the changes whose journal was committed, keeps those that wait for somebody's decision, discards all others. */
export function recoverRuns(runs: string): void {
  const abandoned = findAbandoned(runs)
  for (const run of abandoned) {
    const journal = readJournal(run)
    if (journal) finishOrRevert(run, journal)
    else if (readPending(run)) continue
    removeRunFolder(run)
  }
  if (abandoned.length > 0) removeIfEmpty(runs)
}

/** Applies a journal. When that fails and was reverted, prints a warning; when it could not be reverted, throws. */
function finishOrRevert(run: string, journal: Journal): void {
  try {
    applySteps(run, journal)
  } catch (thrown) {
    if (readJournal(run)) throw thrown
    process.emitWarning(
      `changes of an interrupted command could not be applied and were reverted: ${messageOf(thrown)}`,
      'HaftRecoveryWarning',
    )
  }
}
