// A process that follows a log from a cursor until it is killed; it prints `cursor id` for each event that is no piece of a stream.
import { writeSync } from 'node:fs'
import { isDelta } from '../../src/core/session/event.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'

const [path = '', after = '0'] = process.argv.slice(2)
const { log } = openSqliteStorage({ path })
for await (const event of log.follow({ after: Number(after) }))
  if (!isDelta(event)) writeSync(1, `${event.cursor} ${event.id}\n`)
