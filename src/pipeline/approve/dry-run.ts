import type { ValidCall } from '../../core/call/call.ts'
import { failure, failureOf, type Result } from '../../core/call/result.ts'
import { isBelieved, type RegisteredTool } from '../../core/tool/snapshot.ts'
import type { CallContext } from '../context/call-context.ts'

/** True for tools that support a dry run. */
export function canDryRun({ tool, origin }: RegisteredTool): boolean {
  return tool.dryRun !== undefined && isBelieved(origin)
}

/** Shows what a call would do. Only for calls that passed the stages before approval, so never for a denied one. Never throws. */
export async function dryRunCall(call: ValidCall, context: CallContext): Promise<Result> {
  const { entry, input } = call
  const { tool } = entry
  context.setCall(call)
  if (tool.dryRun === undefined || !canDryRun(entry))
    return failure('UNAVAILABLE', `${tool.name} has no dry run; only tools that run commands do.`)
  try {
    const { text, data } = await tool.dryRun(input, context)
    return { ok: true, text, data }
  } catch (thrown) {
    return failureOf(thrown)
  }
}
