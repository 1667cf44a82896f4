import { join } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { Replaced } from '../../core/ports/files.ts'
import type { RunOwner, RunReport } from '../../core/ports/sandbox.ts'
import { applyPlan } from './apply/apply-plan.ts'
import { planSteps } from './apply/plan-steps.ts'
import { checkChanges, findLeadingOut } from './changes/check-changes.ts'
import { describeChanges } from './changes/describe-changes.ts'
import { diffChanges } from './changes/diff-changes.ts'
import { explainUnapplied } from './changes/explain-unapplied.ts'
import { type AppliedChange, findChanges, type Sides } from './changes/find-changes.ts'
import { nobodyToAsk, reviewChanges } from './changes/review-changes.ts'
import { keepPending, type PendingRecord } from './pending/pending-record.ts'
import { NAMES, type RunFolder } from './run-folder.ts'

/** A command that ran on an overlay and has ended. */
export interface EndedRun {
  readonly workspace: string
  readonly folder: RunFolder
  /** The path at which the mounted overlay is still visible. */
  readonly merged: string
  readonly owner: RunOwner
  readonly dryRun: boolean
  /** How the command went. */
  readonly report: RunReport
  /** True when the run folder is on another file system than the workspace. */
  readonly apart: boolean
  /** The person's home folder. */
  readonly userHome?: string | undefined
  /** The largest file kept for undo, in bytes. */
  readonly keptLimit: number
  replaced(record: Replaced): void
}

/** What a command changed in the workspace, or would change. */
export type RunChanges = Required<Pick<RunReport, 'changed'>> & Pick<RunReport, 'diff'>

/** Applies the changes of a command, all or none, and returns them; a dry run only returns them, with a diff. Waits for approval when changed files need it. */
export async function finishRun(run: EndedRun): Promise<RunChanges> {
  const upper = join(run.folder.path, NAMES.upper)
  const sides: Sides = { lower: run.workspace, upper, merged: run.merged, unlocked: new Map(), userHome: run.userHome }
  try {
    return await finishSides(run, sides)
  } catch (error) {
    throw explainUnapplied(error, sides)
  }
}

async function finishSides(run: EndedRun, sides: Sides): Promise<RunChanges> {
  const { changes, leftOut } = findAppliedChanges(sides)
  const changed = describeChanges(changes, { leadingOut: findLeadingOut(changes, sides), leftOut })
  if (changes.length === 0) return { changed }
  if (run.dryRun) return { changed, diff: await diffChanges(changes, sides) }
  checkChanges(changes, sides, run.folder.startedAt)
  const review = reviewChanges(changes, run.workspace, run.owner)
  const steps = planSteps(changes, sides, run.folder.path)
  if (review !== undefined) {
    if (run.owner.confirm === undefined) throw nobodyToAsk(review)
    const diff = await diffChanges(review.changes, sides)
    keepPending(run.folder.path, pendingOf(run, { changes, steps, changed }))
    const { rule, reason } = review
    await run.owner.confirm({ files: describeChanges(review.changes), diff, rule, reason })
    checkUnmoved(changes, sides)
    checkChanges(changes, sides, run.folder.startedAt)
  }
  applyPlan({ ...run, run: run.folder.path, call: run.owner.call }, steps)
  return { changed }
}

function pendingOf(
  { folder, apart, owner, report }: EndedRun,
  planned: Pick<PendingRecord, 'changes' | 'steps' | 'changed'>,
): PendingRecord {
  return { ...planned, call: owner.call, startedAt: folder.startedAt, since: Date.now(), apart, report }
}

/** Returns the changes to apply, and the special files that are skipped. */
function findAppliedChanges(sides: Sides): { changes: AppliedChange[]; leftOut: string[] } {
  const found = findChanges(sides)
  return {
    changes: found.filter((change) => change.kind !== 'special'),
    leftOut: found.filter(({ kind }) => kind === 'special').map(({ path }) => path),
  }
}

/** Throws CONFLICT when the changes are no longer those that the approver saw. */
function checkUnmoved(changes: readonly AppliedChange[], sides: Sides): void {
  if (JSON.stringify(findAppliedChanges(sides).changes) === JSON.stringify(changes)) return
  throw new ToolError(
    'CONFLICT',
    'The workspace changed while the approval was pending. None of the command’s changes were applied. Check the files and run it again.',
    { retryable: true },
  )
}
