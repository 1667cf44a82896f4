import type { PreparedCall } from '../core/call/call.ts'
import type { CheckReport } from '../core/call/check-report.ts'
import { type Failure, failure, failureOf, isFailure } from '../core/call/result.ts'
import { dryRunCall } from './approve/dry-run.ts'
import { summariseCall } from './approve/summarise-call.ts'
import { type CallRun, startRun } from './call-run.ts'
import { parse } from './parse/parse.ts'
import { settleDecision } from './prepare/prepare.ts'
import { type Parts, quietParts, type Request } from './request.ts'
import { beforeApproval } from './run-call.ts'

/** Reports what would happen to a call. Logs nothing, and runs nothing except a requested dry run. Never rejects; a call that cannot be checked counts as denied. */
export async function checkCall(request: Request, parts: Parts, isDryRun = false): Promise<CheckReport> {
  try {
    return await check(request, parts, isDryRun)
  } catch (thrown) {
    const { code, text } = failureOf(thrown)
    return { decision: 'deny', code, text, trace: [] }
  } finally {
    request.stop.end()
  }
}

async function check(request: Request, parts: Parts, isDryRun: boolean): Promise<CheckReport> {
  const run = startRun(request, quietParts(parts), true)
  const parsed = await parse(request, request.snapshot)
  const prepared = isFailure(parsed) ? parsed : await beforeApproval(parsed, run)
  await run.context.finish(isFailure(prepared) ? prepared : failure('CANCELLED', 'It was only checked.'))
  const report = describe(prepared, run)
  if (!isDryRun || isFailure(prepared)) return report
  return { ...report, dryRun: await dryRunCall(prepared.call, run.context) }
}

function describe(prepared: PreparedCall | Failure, { valid, repairs, judged, parts }: CallRun): CheckReport {
  if (isFailure(prepared) && (!valid || !judged))
    return { decision: 'invalid', code: prepared.code, text: prepared.text, trace: [] }
  const known = {
    ...(valid && { arguments: valid.shown }),
    ...(judged && { effects: judged.reading.words }),
    ...(repairs.length > 0 && { repairs }),
    trace: judged?.verdict.trace ?? [],
  }
  if (isFailure(prepared)) return { ...known, ...describeRefusal(prepared, { valid, judged }) }
  const { decision, rule, reason, preview } = prepared
  const text =
    decision === 'allow' ? `It would run: ${reason} (${rule}).` : `A person would be asked: ${reason} (${rule}).`
  const summary = judged && summariseCall(prepared, judged, parts.workspace)
  return { decision, rule, text, ...known, ...(summary && { summary }), ...(preview && { preview }) }
}

/** Describes a call that a rule denies, or that would be allowed or need approval but cannot work. */
function describeRefusal(
  { code, text }: Failure,
  { valid, judged }: Pick<CallRun, 'valid' | 'judged'>,
): Pick<CheckReport, 'decision' | 'code' | 'rule' | 'text'> {
  if (!valid || !judged || code === 'BLOCKED')
    return { decision: 'deny', code, ...(judged && { rule: judged.verdict.rule }), text }
  const { decision, rule } = settleDecision(valid, judged, undefined)
  return { decision, code, rule, text }
}
