import type { Question } from '../../src/core/approval/approval.ts'
import type { Storage } from '../../src/core/ports/storage.ts'
import { callEvents } from './call-events.ts'

/** An ordinary approval request; a test overrides what matters to it. */
export const QUESTION: Question = {
  approval: '',
  call: '',
  session: 's1',
  tool: 'write_file',
  workspace: '/w',
  arguments: { path: 'a', key: '[masked]' },
  effects: ['writes a'],
  rule: 'a rule',
  reason: 'because',
  unusual: [],
  askedBy: [],
  grants: [],
  digest: 'd',
}

/** A call that a person is asked about, as the pipeline leaves it; returns the id of the request. */
export async function askedCall(
  { log, approvals }: Pick<Storage, 'log' | 'approvals'>,
  call: string,
  expiresAt = Date.now() + 60_000,
): Promise<string> {
  for (const body of callEvents({ call }).slice(0, 2)) log.append(body)
  const question = { ...QUESTION, approval: `a_${call}`, call }
  await approvals.ask({ question, input: { path: 'a', key: 'raw' }, askedAt: Date.now(), expiresAt })
  return question.approval
}
