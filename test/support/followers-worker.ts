// A process in which so many follow the log while it is written; prints how many statements that took and how much memory it keeps.
import { queryCount } from './count-queries.ts'

const { openSqliteStorage } = await import('../../src/store/sqlite/open-storage.ts')

const [path = '', followers = '1', commits = '1'] = process.argv.slice(2)
const { log, close } = openSqliteStorage({ path })
const count = Number(followers)
const last = Number(commits) * 10
let seen = 0
const { promise, resolve } = Promise.withResolvers<void>()
const follow = async (): Promise<void> => {
  for await (const { cursor } of log.follow({ after: 0 })) {
    if (cursor < last) continue
    if (++seen === count) resolve()
    return
  }
}
for (let i = 0; i < count; i++) follow()
const before = queryCount()
for (let commit = 0; commit < Number(commits); commit++) {
  for (let i = 0; i < 10; i++) log.append({ type: 'call-problem', session: 's', call: 'c', text: 'x'.repeat(1_000) })
  await log.flush()
}
await promise
globalThis.gc?.()
process.stdout.write(`${JSON.stringify({ queries: queryCount() - before, heap: process.memoryUsage().heapUsed })}\n`)
close()
