import type { ClearedCall } from '../../core/call/call.ts'
import { failure } from '../../core/call/result.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { isBelieved, type RegisteredTool } from '../../core/tool/snapshot.ts'
import type { CallRun } from '../call-run.ts'
import { claimPaths } from '../ordering/path-claims.ts'
import type { Stage } from '../stage.ts'

/** The commit point: waits for the turn of a call in the background, commits the ledger row of one that may change something, and logs `call-run`. Returns the call it was given. Rejects with UNAVAILABLE where the row cannot be written; the call must not run then. */
export function commit(cleared: ClearedCall, run: CallRun): Stage<ClearedCall> {
  const { task } = run.request
  if (task !== undefined) return takeTurn(run).then(() => commitInTurn(cleared, run))
  return commitInTurn(cleared, run)
}

function commitInTurn(cleared: ClearedCall, run: CallRun): Stage<ClearedCall> {
  const { id, session, entry } = cleared
  if (run.request.stop.isCancelled || !hasEffect(entry)) return logRun(cleared, run)
  const { effect, idempotent = false } = entry.tool
  return run.parts.storage.ledger.begin({ session, call: id, effect, idempotent }).then(() => logRun(cleared, run))
}

function logRun(cleared: ClearedCall, run: CallRun): Stage<ClearedCall> {
  const { id: call, session, entry, clearedBy, proposed, shown } = cleared
  if (run.request.stop.isCancelled)
    return failure('CANCELLED', `${entry.tool.name} was cancelled before it began. Nothing was run.`)
  const event = { type: 'call-run', session, call, clearedBy } as const
  run.parts.emit(proposed === undefined ? event : { ...event, arguments: shown })
  return cleared
}

/** Waits for a task's turn. Its paths are free for others meanwhile. */
async function takeTurn(run: CallRun): Promise<void> {
  const { request, parts, claim } = run
  const { task, stop } = request
  if (!task) return
  if (claim && task.mustWait) {
    claim.release()
    run.giveTurnBack = await task.takeTurn()
    run.claim = await claimPaths(claim.paths, { stop, locks: parts.storage.locks })
  } else run.giveTurnBack = await task.takeTurn()
}

/** True if a call may change something. Its ledger row is committed before it runs, and its end before the caller gets the result. */
export function hasEffect({ tool, origin }: RegisteredTool): boolean {
  return !isBelieved(origin) || (tool.effect !== 'none' && tool.effect !== 'read')
}

/** Waits until the end of a call is committed. If the log cannot be written, the log reports that, and the caller still gets the result. */
export async function flushEnd({ log }: Pick<Storage, 'log'>): Promise<void> {
  await log.flush().catch(() => undefined)
}
