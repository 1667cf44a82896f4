import { messageOf } from '../../core/call/result.ts'
import { removeMountPoints } from '../protect-in-place.ts'
import { applySteps, revertSteps } from './apply/apply-steps.ts'
import { endJournal, type Journal, readCall, readJournal } from './apply/journal.ts'
import { settlePending } from './apply/settle-pending.ts'
import { removeBeside } from './apply/stage-beside.ts'
import { readPending } from './pending/pending-record.ts'
import { findAbandoned, removeIfEmpty, removeRunFolder } from './run-folder.ts'

/** Finishes the runs of dead processes: applies the changes whose journal was committed, keeps those that wait for somebody's decision, discards all others. Returns the calls whose changes were recorded for undo and never applied. */
export function recoverRuns(runs: string): string[] {
  const unapplied: string[] = []
  const abandoned = findAbandoned(runs)
  for (const run of abandoned) {
    removeMountPoints(run)
    const journal = readJournal(run)
    const call = readCall(run)
    const isApplied = journal !== undefined && finishOrRevert(run, journal)
    if (readJournal(run)) continue
    removeBeside(run)
    if (readPending(run)) continue
    if (!isApplied && call !== undefined) unapplied.push(call)
    removeRunFolder(run)
  }
  if (abandoned.length > 0) removeIfEmpty(runs)
  return unapplied
}

/** Applies a journal, or goes on reverting it. When that fails, prints a warning and returns false; what could not be reverted stays in the journal, for the next start. */
function finishOrRevert(run: string, journal: Journal): boolean {
  try {
    if (journal.isReverting) {
      revertSteps(run, journal)
      return false
    }
    applySteps(run, journal, true)
    settlePending(run, journal)
    endJournal(run)
    return true
  } catch (thrown) {
    const what = readJournal(run) ? '' : ' could not be applied and were reverted'
    process.emitWarning(`changes of an interrupted command${what}: ${messageOf(thrown)}`, 'HaftRecoveryWarning')
    return false
  }
}
