import type { Question } from '../core/approvals.ts'
import type { PreparedCall } from '../core/call.ts'
import { maskQuestion } from '../core/mask-question.ts'
import { digestPrepared } from './call-digest.ts'
import { findUnusual } from './find-unusual.ts'
import type { Judged } from './judge.ts'
import type { Parts } from './request.ts'

/** What a person is asked about a call: its secrets masked, bound to what would run by its digest. Offers grants only where somebody will look. */
export async function makeQuestion(
  prepared: PreparedCall,
  { reading, verdict }: Judged,
  { parts, offers }: { parts: Parts; offers: boolean },
): Promise<Question> {
  const { call, rule, reason, preview } = prepared
  const { workspace, desk } = parts
  const asked = verdict.trace.filter(({ decision }) => decision === 'ask').map((opinion) => opinion.rule)
  const question: Question = {
    approval: `a_${call.id}`,
    call: call.id,
    session: call.session,
    tool: call.entry.tool.name,
    workspace,
    arguments: call.input,
    effects: reading.words,
    rule,
    reason,
    ...(preview && { preview }),
    unusual: findUnusual(prepared, reading, workspace),
    askedBy: [...new Set(asked)],
    grants: offers ? await parts.judge.offer(call, reading) : [],
    digest: digestPrepared(prepared, workspace),
  }
  return maskQuestion(question, desk.secrets)
}
