// A process that stores many approval requests, reports this on stdout, and then does nothing until it is killed.
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { askedCall } from './approval-requests.ts'

const [path = '', count = '0'] = process.argv.slice(2)
const store = openSqliteStorage({ path })
const ids: string[] = []
for (let at = 0; at < Number(count); at++) ids.push(await askedCall(store, `c${at}`, Date.now() + 3_600_000))
process.stdout.write(`${ids.join(' ')}\n`)
setInterval(() => undefined, 1_000)
