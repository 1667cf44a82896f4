import type { ApprovalRequest } from '../../src/core/approval/approval.ts'
import type { Storage } from '../../src/core/ports/storage.ts'
import { callEvents } from './call-events.ts'

/** An ordinary approval request, for tests to modify. */
export const REQUEST: ApprovalRequest = {
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

/** Logs and stores a call that waits for an approval, as the pipeline does. Returns the id of the request. */
export async function askedCall(
  { log, approvals }: Pick<Storage, 'log' | 'approvals'>,
  call: string,
  expiresAt = Date.now() + 60_000,
): Promise<string> {
  for (const body of callEvents({ call }).slice(0, 2)) log.append(body)
  const request = { ...REQUEST, approval: `a_${call}`, call }
  await approvals.ask({ request, input: { path: 'a', key: 'raw' }, askedAt: Date.now(), expiresAt })
  return request.approval
}
