import type { CheckReport } from '../core/call/check-report.ts'
import { failure, failureOf } from '../core/call/result.ts'
import { rehearseCall } from './approve/dry-run.ts'
import { CallContext } from './execute/call-context.ts'
import { parse } from './parse/parse.ts'
import { settleDecision } from './prepare/prepare.ts'
import { type Parts, quietParts, type Request } from './request.ts'
import { type Walked, walkToLine } from './walk-to-line.ts'

/** Walks a call to the line and reports; logs nothing, and runs nothing but a rehearsal, where one is asked for. Never rejects: what could not be checked counts as denied. */
export async function checkCall(request: Request, parts: Parts, rehearse = false): Promise<CheckReport> {
  try {
    return await walkAndReport(request, parts, rehearse)
  } catch (thrown) {
    const { code, text } = failureOf(thrown)
    return { decision: 'deny', code, text, trace: [] }
  } finally {
    request.stop.end()
  }
}

async function walkAndReport(request: Request, parts: Parts, rehearse: boolean): Promise<CheckReport> {
  const quiet = quietParts(parts)
  const context = new CallContext(request, quiet)
  const parsed = await parse(request, request.snapshot)
  const walked = await walkToLine(parsed, request.snapshot, { parts: quiet, context })
  await context.finish(walked.failure ?? failure('CANCELLED', 'It was only checked.'))
  if (!rehearse || walked.failure) return report(walked)
  return { ...report(walked), rehearsal: await rehearseCall(walked.prepared.call, context) }
}

function report(walked: Walked): CheckReport {
  const { validated, judged, failure } = walked
  if (!validated || !judged) {
    return { decision: 'invalid', ...(failure && { code: failure.code }), text: failure?.text ?? '', trace: [] }
  }
  const known = {
    arguments: validated.call.shown,
    effects: judged.reading.words,
    ...(validated.repairs.length > 0 && { repairs: validated.repairs }),
    trace: judged.verdict.trace,
  }
  if (failure?.code === 'BLOCKED') {
    return { decision: 'deny', code: failure.code, rule: judged.verdict.rule, text: failure.text, ...known }
  }
  const { decision, rule, reason } = walked.failure
    ? settleDecision(validated.call, judged, undefined)
    : walked.prepared
  if (failure) return { decision, code: failure.code, rule, text: failure.text, ...known }
  const text =
    decision === 'allow' ? `It would run: ${reason} (${rule}).` : `A person would be asked: ${reason} (${rule}).`
  const { preview } = walked.prepared ?? {}
  return { decision, rule, text, ...known, ...(preview && { preview }) }
}
