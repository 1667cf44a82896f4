// A process that answers the approval requests named on stdin, one per line, or takes over their calls, and prints whether it succeeded.
import { createInterface } from 'node:readline'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'

const [path = '', name = '', task = 'answer'] = process.argv.slice(2)
const store = openSqliteStorage({ path })
process.stdout.write('ready\n')
for await (const id of createInterface({ input: process.stdin })) {
  const answer = { reply: { approved: false, reason: name }, by: name, at: Date.now() } as const
  const won = task === 'answer' ? await store.approvals.answer(id, answer) : await store.approvals.adopt(id)
  process.stdout.write(`${won ? 'won' : 'lost'}\n`)
}
store.close()
