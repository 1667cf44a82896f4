import type { ApprovalRequest } from '../../src/core/approval/approval.ts'
import type { Storage } from '../../src/core/ports/storage.ts'
import { callEvents } from './call-events.ts'

/** An ordinary question; a test says what is special about its own. */
export const QUESTION: ApprovalRequest = {
  approval: '',
  call: '',
  session: 's1',
  tool: 'write_file',
  workspace: '/w',
  arguments: { path: 'a', key: '[masked 3f9c]' },
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
  const request = { ...QUESTION, approval: `a_${call}`, call }
  await approvals.ask({ request, input: { path: 'a', key: 'raw' }, askedAt: Date.now(), expiresAt })
  return request.approval
}
