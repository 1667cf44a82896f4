import { ToolError } from '../core/call/result.ts'
import type { RunOrder, RunOwner } from '../core/ports/sandbox.ts'

/** Throws UNAVAILABLE for a command in the mode `review` that would change the workspace before anybody saw its changes. One that was asked for as `live` may. */
export function refuseUnreviewed({ direct }: RunOrder, { mode }: RunOwner, why: string): void {
  if (mode !== 'review' || direct) return
  throw new ToolError(
    'UNAVAILABLE',
    `In the mode review a command needs an overlay of the workspace, so that you see its changes before they are applied: ${why}. Choose the mode "ask". Nothing was run.`,
  )
}
