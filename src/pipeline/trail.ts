import type { Result } from '../core/result.ts'
import type { CallContext } from './call-context.ts'
import type { Judged } from './judge.ts'
import type { Parts } from './request.ts'
import { type Claim, claimPaths, writtenPaths } from './writers.ts'

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

/** Where a call that may run walks. */
export type CallPlace = Required<WalkPlace>

/** Waits for other writers of the same paths: what is seen from here on stays so until this call has ended or waits itself. */
export async function claimFor({ touches }: Judged, { parts, context, trail }: WalkPlace): Promise<void> {
  if (trail === undefined) return
  trail.claim?.release()
  const paths = writtenPaths(touches, parts.workspace)
  trail.claim = paths.length === 0 ? undefined : await claimPaths(paths, context.stop)
}

/** Waits for a task's turn, its paths free for others meanwhile; gives how to give the turn back. */
export async function takeTurn(
  task: { readonly mustWait: boolean; takeTurn(): Promise<() => void> },
  { context, trail }: CallPlace,
): Promise<() => void> {
  const { claim } = trail
  if (!claim || !task.mustWait) return task.takeTurn()
  claim.release()
  const giveBack = await task.takeTurn()
  trail.claim = await claimPaths(claim.paths, context.stop)
  return giveBack
}

/** Cleans up after a call that has its result and has not been told to be over. Never rejects. */
export async function putAway(result: Result, { context, trail }: CallPlace): Promise<void> {
  if (context.plan) await context.finish(result)
  trail.claim?.release()
}
