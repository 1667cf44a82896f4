import type { Result } from '../core/call/result.ts'
import type { Asker } from './approve/approve.ts'
import type { CallContext } from './execute/call-context.ts'
import type { Judged } from './judge/judge.ts'
import { type Claim, claimPaths, writtenPaths } from './ordering/writers.ts'
import type { Parts } from './request.ts'
import type { Detach } from './tasks/start-task.ts'

/** What a call leaves behind that must be put away when it has ended. */
export interface Trail {
  /** The question that was kept. */
  approval: string | undefined
  /** Its right to write to the paths it names. */
  claim: Claim | undefined
}

/** What a walk to the line needs; without a trail the call goes no further, and holds nothing. */
export interface WalkPlace {
  readonly parts: Parts
  readonly context: CallContext
  readonly trail?: Trail
}

/** A call under way: what was asked for, by whose means, and what its tool may reach. */
export interface Way extends Asker {
  readonly context: CallContext
}

/** Waits for other writers of the same paths: what is seen from here on stays so until this call has ended or waits itself. */
export async function claimFor({ touches }: Judged, { parts, context, trail }: WalkPlace): Promise<void> {
  if (trail === undefined) return
  trail.claim?.release()
  const paths = writtenPaths(touches, parts.workspace)
  trail.claim =
    paths.length === 0 ? undefined : await claimPaths(paths, { stop: context.stop, locks: parts.storage.locks })
}

/** Waits for a task's turn, its paths free for others meanwhile; gives how to give the turn back. */
export async function takeTurn(task: Detach, { parts, context, trail }: Way): Promise<() => void> {
  const { claim } = trail
  if (!claim || !task.mustWait) return task.takeTurn()
  claim.release()
  const giveBack = await task.takeTurn()
  trail.claim = await claimPaths(claim.paths, { stop: context.stop, locks: parts.storage.locks })
  return giveBack
}

/** Puts away what an ended call leaves at the desk. */
export async function settleTrail({ parts, trail }: Asker): Promise<void> {
  if (trail.approval !== undefined) await parts.storage.approvals.settle(trail.approval)
}

/** Cleans up after a call that has its result and has not been told to be over. Never rejects. */
export async function putAway(result: Result, { context, trail }: Way): Promise<void> {
  if (context.plan) await context.finish(result)
  trail.claim?.release()
}
