import { messageOf } from '../../core/call/result.ts'
import { applySteps } from './apply-steps.ts'
import { type Journal, readJournal } from './journal.ts'
import { findAbandoned, removeIfEmpty, removeRunFolder } from './run-folder.ts'

/** Brings what a dead process left to an end: changes whose journal was written are applied wholly, all others forgotten. */
export function recoverRuns(runs: string): void {
  const abandoned = findAbandoned(runs)
  for (const run of abandoned) {
    const journal = readJournal(run)
    if (journal) finishOrTakeBack(run, journal)
    removeRunFolder(run)
  }
  if (abandoned.length > 0) removeIfEmpty(runs)
}

/** A failure that was wholly taken back is told, and the start goes on; one that was not stops it. */
function finishOrTakeBack(run: string, journal: Journal): void {
  try {
    applySteps(run, journal)
  } catch (thrown) {
    if (readJournal(run)) throw thrown
    process.emitWarning(
      `changes of a command that was cut off could not be applied and were taken back: ${messageOf(thrown)}`,
      'HaftRecoveryWarning',
    )
  }
}
