import type { ClearedCall } from '../../core/call/call.ts'
import type { ErrorCode } from '../../core/call/codes.ts'
import { isFailure } from '../../core/call/result.ts'
import { isBelieved, type RegisteredTool } from '../../core/tool/snapshot.ts'
import type { CallContext } from '../context/call-context.ts'

/** The codes of failures after which a tool may already have changed something. */
const MIDWAY: readonly ErrorCode[] = ['TIMEOUT', 'CANCELLED', 'EXECUTION_ERROR']

/** Records that a call may have changed files without its context. Nothing is kept of such changes, so undo cannot restore them and says so. */
export function noteUnkept({ entry }: ClearedCall, returned: unknown, context: CallContext): void {
  if (context.isGuarded || !mayChangeFiles(entry)) return
  if (isFailure(returned) && !MIDWAY.includes(returned.code)) return
  context.noteUnkept(`${entry.tool.name} changes files by itself, so nothing was kept`)
}

/** True for a tool that declares such an effect, and for every tool whose declaration is not trusted. */
function mayChangeFiles({ tool, origin }: RegisteredTool): boolean {
  return !isBelieved(origin) || tool.effect === 'write' || tool.effect === 'run'
}
