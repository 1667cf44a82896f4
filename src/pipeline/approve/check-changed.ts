import { type Failure, failure } from '../../core/call/result.ts'
import { restoreMasked } from '../../core/secrets/mask-approval.ts'
import { CallContext } from '../execute/call-context.ts'
import { parse } from '../parse/parse.ts'
import { type Parts, quietParts, type Request } from '../request.ts'
import { walkToLine } from '../walk-to-line.ts'

/** A call that was asked about: its request, and its arguments with nothing masked. */
export interface AskedCall {
  readonly request: Request
  readonly input: unknown
}

/** What a person put in place of the arguments, the secrets they left in place put back; or why it cannot be. */
export function restoreChanged(changed: unknown, { request, input }: AskedCall, { desk }: Parts): Request | Failure {
  const restored = restoreMasked(changed, input, desk.secrets)
  if (restored) return { ...request, arguments: restored.value }
  const text = `Invalid arguments for ${request.name}: they hold a masked place that no secret belongs to. Nothing was run.`
  return failure('INVALID_ARGUMENTS', text)
}

/** What would refuse changed arguments, of every room before the line; logged nowhere. Undefined when they would do. */
export async function checkChanged(changed: unknown, asked: AskedCall, parts: Parts): Promise<Failure | undefined> {
  const request = restoreChanged(changed, asked, parts)
  if ('ok' in request) return request
  const quiet = quietParts(parts)
  const context = new CallContext(request, quiet)
  const parsed = await parse(request, request.snapshot)
  const { failure: refused } = await walkToLine(parsed, request.snapshot, { parts: quiet, context })
  await context.finish(refused ?? failure('CANCELLED', 'It was only checked.'))
  return refused
}
