import type { ClearedCall } from '../../core/call/call.ts'
import type { ErrorCode } from '../../core/call/codes.ts'
import { isFailure } from '../../core/call/result.ts'
import { isBelieved, type RegisteredTool } from '../../core/tool/snapshot.ts'
import type { CallContext } from '../context/call-context.ts'

/** How a tool fails that may have changed something before. */
const MIDWAY: readonly ErrorCode[] = ['TIMEOUT', 'CANCELLED', 'EXECUTION_ERROR']

/** Records that a call may have changed files by means of its own: nothing is kept of that, so undo cannot restore it and has to say so. */
export function noteUnkept({ entry }: ClearedCall, returned: unknown, context: CallContext): void {
  if (context.isGuarded || !mayChangeFiles(entry)) return
  if (isFailure(returned) && !MIDWAY.includes(returned.code)) return
  context.noteUnkept(`${entry.tool.name} changes files by means of its own, so nothing was kept`)
}

/** True for a tool that says so, and for every one whose word is not believed. */
function mayChangeFiles({ tool, origin }: RegisteredTool): boolean {
  return !isBelieved(origin) || tool.effect === 'write' || tool.effect === 'run'
}
