// A process that answers the approval requests named on stdin, one per line, takes over their calls, or does both, and prints whether it succeeded.
import { createInterface } from 'node:readline'
import type { ApprovalAnswer } from '../../src/core/approval/approval-record.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'

const [path = '', name = '', task = 'answer'] = process.argv.slice(2)
const store = openSqliteStorage({ path })
process.stdout.write('ready\n')
for await (const id of createInterface({ input: process.stdin })) {
  const answer = { reply: { approved: false, reason: name }, by: name, at: Date.now() } as const
  process.stdout.write(`${(await attempt(id, answer)) ? 'won' : 'lost'}\n`)
}
store.close()

async function attempt(id: string, answer: ApprovalAnswer): Promise<unknown> {
  if (task === 'answer') return store.approvals.answer(id, answer)
  if (task === 'adopt') return store.approvals.adopt(id)
  // As the approval queue does it: who finds an answer whose call has not run takes the call over.
  const stored = await store.approvals.answer(id, answer, { adopt: true })
  return stored ? stored.isAdopted : store.approvals.adopt(id)
}
