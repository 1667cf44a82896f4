import { join } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import type { Replaced } from '../../core/ports/files.ts'
import type { RunOwner, RunReport } from '../../core/ports/sandbox.ts'
import { applyPlan } from './apply/apply-plan.ts'
import { joinSteps } from './apply/join-steps.ts'
import { planSteps } from './apply/plan-steps.ts'
import {
  checkConflicts,
  checkForbidden,
  checkHidden,
  conflictOf,
  findLeadingOut,
  list,
} from './changes/check-changes.ts'
import { describeChanges } from './changes/describe-changes.ts'
import { diffChanges } from './changes/diff-changes.ts'
import { explainUnapplied } from './changes/explain-unapplied.ts'
import { type AppliedChange, findChanges, type Sides } from './changes/find-changes.ts'
import { findLost } from './changes/find-lost.ts'
import { findUpperChanges } from './changes/find-upper-changes.ts'
import type { TreeListing } from './changes/list-tree.ts'
import { nobodyToAsk, reviewChanges } from './changes/review-changes.ts'
import { keepPending, type PendingRecord } from './pending/pending-record.ts'
import { NAMES, type RunFolder, releaseRunFolder } from './run-folder.ts'

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
  /** What the workspace held at the start; given when others may change it during the run. */
  readonly listing?: TreeListing | undefined
  /** What the command could not read, as absolute paths. */
  readonly hidden: readonly string[]
  /** Finds git. */
  readonly programs: Programs
  /** Programs of the workspace that run outside the sandbox, relative to it. */
  readonly ownPrograms?: readonly string[]
  /** The person's home folder. */
  readonly userHome?: string | undefined
  /** True where the command could reach the network. */
  readonly hasNetwork: boolean
  /** The largest file kept for undo, in bytes. */
  readonly keptLimit: number
  replaced(record: Replaced): void
  replacedAll?(records: readonly Replaced[]): void
}

/** What a command changed in the workspace, or would change. */
export type RunChanges = Required<Pick<RunReport, 'changed'>> & Pick<RunReport, 'diff'>

/** Applies the changes of a command, all or none, and returns them; a dry run only returns them, with a diff. Waits for approval when changed files need it. */
export async function finishRun(run: EndedRun): Promise<RunChanges> {
  const upper = join(run.folder.path, NAMES.upper)
  const { workspace: lower, merged, programs, ownPrograms, userHome, hasNetwork } = run
  const own = { programs, ...(ownPrograms && { ownPrograms }) }
  const sides: Sides = { lower, upper, merged, unlocked: new Map(), ...own, userHome, hasNetwork }
  try {
    return await finishSides(run, sides)
  } catch (error) {
    throw explainUnapplied(error, sides)
  }
}

async function finishSides(run: EndedRun, sides: Sides): Promise<RunChanges> {
  const { changes, leftOut, conflicts, shown } = findAppliedChanges(sides, run.listing)
  const changed = describeChanges(changes, { leadingOut: findLeadingOut(changes, shown), leftOut })
  const lost = conflicts === undefined ? findLost(sides) : []
  if (lost.length > 0) throw conflictOf(lost)
  if (changes.length === 0) return { changed }
  checkHidden(changes, run)
  if (run.dryRun) return { changed, diff: await diffChanges(changes, shown) }
  checkForbidden(changes, shown)
  if (conflicts === undefined) checkConflicts(changes, run.workspace, run.folder.startedAt)
  const review = await reviewChanges(changes, shown, run)
  const steps = planSteps(changes, shown, run.folder.path)
  const pending = pendingOf(run, { changes, steps, changed })
  if (review !== undefined) {
    if (run.owner.confirm === undefined) throw nobodyToAsk(review)
    const diff = await diffChanges(review.changes, shown)
    keepPending(run.folder.path, pending)
    const { rule, reason } = review
    await run.owner.confirm({ files: describeChanges(review.changes), diff, rule, reason })
    checkUnmoved(changes, sides, run.listing)
    checkForbidden(changes, shown)
    if (conflicts === undefined) checkConflicts(changes, run.workspace, run.folder.startedAt)
  }
  if (conflicts !== undefined && conflicts.length > 0) throw keepConflicting(run, pending, conflicts)
  const joined = run.apart || conflicts !== undefined ? steps : joinSteps(steps, changes, run.folder.path)
  applyPlan({ ...run, run: run.folder.path, call: run.owner.call }, joined)
  return { changed }
}

function pendingOf(
  { folder, apart, owner, report }: EndedRun,
  planned: Pick<PendingRecord, 'changes' | 'steps' | 'changed'>,
): PendingRecord {
  return { ...planned, call: owner.call, startedAt: folder.startedAt, since: Date.now(), apart, report }
}

/** Keeps all changes on disk for a person's decision and returns the CONFLICT. */
function keepConflicting({ folder, owner }: EndedRun, pending: PendingRecord, conflicts: readonly string[]): ToolError {
  const { call } = owner
  keepPending(folder.path, { ...pending, conflict: `${list(conflicts)} changed while the command ran` })
  releaseRunFolder(folder.path)
  return new ToolError(
    'CONFLICT',
    `${list(conflicts)} changed while the command ran, so none of its changes were applied. They are kept: "haft tasks ${call} apply" applies all that do not conflict, "haft tasks ${call} apply PATH" also what does, "haft tasks ${call} discard" forgets them.`,
    { details: { paths: conflicts.slice(0, 100), pending: call } },
  )
}

interface FoundChanges {
  readonly changes: AppliedChange[]
  /** The special files that are skipped. */
  readonly leftOut: string[]
  /** Paths that both sides changed; undefined where others are not expected to change anything. */
  readonly conflicts: readonly string[] | undefined
  /** The layers to read the changes from. */
  readonly shown: Sides
}

/** Returns the changes to apply. Beside other changes the merged view is undefined, and the upper layer shows what is the command's. */
function findAppliedChanges(sides: Sides, listing: TreeListing | undefined): FoundChanges {
  const beside = listing && findUpperChanges(sides, listing)
  const found = beside?.found ?? findChanges(sides)
  return {
    changes: found.filter((change) => change.kind !== 'special'),
    leftOut: found.filter(({ kind }) => kind === 'special').map(({ path }) => path),
    conflicts: beside?.conflicts,
    shown: beside ? { ...sides, merged: sides.upper, isLayered: true } : sides,
  }
}

/** Throws CONFLICT when the changes are no longer those that the approver saw. */
function checkUnmoved(changes: readonly AppliedChange[], sides: Sides, listing: TreeListing | undefined): void {
  if (JSON.stringify(findAppliedChanges(sides, listing).changes) === JSON.stringify(changes)) return
  throw new ToolError(
    'CONFLICT',
    'The workspace changed while the approval was pending. None of the command’s changes were applied. Check the files and run it again.',
    { retryable: true },
  )
}
