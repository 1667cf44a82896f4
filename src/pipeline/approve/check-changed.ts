import { type Failure, failure, isFailure } from '../../core/call/result.ts'
import { restoreMasked } from '../../core/secrets/mask-approval.ts'
import { type BeforeApproval, startRun } from '../call-run.ts'
import { parse } from '../parse/parse.ts'
import { type Parts, quietParts, type Request } from '../request.ts'

/** A call that was asked about: its request, and its arguments unmasked. */
export interface AskedCall {
  readonly request: Request
  readonly input: unknown
}

/** The request with the arguments a person gave instead, the secrets behind masks restored; or why that cannot be done. */
export function restoreChanged(
  changed: unknown,
  { request, input }: AskedCall,
  { masker }: Pick<Parts, 'masker'>,
): Request | Failure {
  const restored = restoreMasked(changed, input, masker)
  if (restored) return { ...request, arguments: restored.value }
  const text = `Invalid arguments for ${request.name}: they hold a masked place that no secret belongs to. Nothing was run.`
  return failure('INVALID_ARGUMENTS', text)
}

/** What would refuse changed arguments before the commit point; logs nothing. Undefined when they would be taken. */
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
