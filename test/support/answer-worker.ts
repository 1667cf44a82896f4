// A process that answers the questions named on stdin, a line each, and says on stdout whether its answer was taken.
import { createInterface } from 'node:readline'
import { openSqliteStore } from '../../src/store/sqlite.ts'

const [path = '', name = ''] = process.argv.slice(2)
const store = openSqliteStore({ path })
process.stdout.write('ready\n')
for await (const id of createInterface({ input: process.stdin })) {
  const won = store.answerApproval(id, { reply: { approved: false, reason: name }, by: name, at: Date.now() })
  process.stdout.write(`${won ? 'won' : 'lost'}\n`)
}
store.close()
