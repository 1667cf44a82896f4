import { type Failure, failure, isFailure } from '../../core/call/result.ts'
import { restoreMasked } from '../../core/secrets/mask-approval.ts'
import { type BeforeApproval, startRun } from '../call-run.ts'
import { parse } from '../parse/parse.ts'
import { type Parts, quietParts, type Request } from '../request.ts'

/** A call with an approval request, and its unmasked arguments. */
export interface AskedCall {
  readonly request: Request
  readonly input: unknown
}

/** Returns the request with the arguments of the person, masked secrets restored; or why that is not possible. */
export function restoreChanged(
  changed: unknown,
  { request, input }: AskedCall,
  { secrets }: Pick<Parts, 'secrets'>,
): Request | Failure {
  const restored = restoreMasked(changed, input, secrets)
  if (restored) return { ...request, arguments: restored.value }
  const text = `Invalid arguments for ${request.name}: they contain a mask that stands for no secret of the original arguments. Nothing was run.`
  return failure('INVALID_ARGUMENTS', text)
}

/** Returns the failure that changed arguments would get before the commit point, or undefined. Logs nothing. */
export async function checkChanged(
  changed: unknown,
  asked: AskedCall & { readonly repeat: BeforeApproval },
  parts: Parts,
): Promise<Failure | undefined> {
  const request = restoreChanged(changed, asked, parts)
  if ('ok' in request) return request
  const run = startRun(request, quietParts(parts), true)
  const parsed = await parse(request, request.snapshot)
  const prepared = isFailure(parsed) ? parsed : await asked.repeat(parsed, run)
  const refused = isFailure(prepared) ? prepared : undefined
  await run.context.finish(refused ?? failure('CANCELLED', 'It was only checked.'))
  return refused
}
