// A process that makes calls as the corridor does, until it is killed; it says on stdout what it was promised.
import { appendFileSync, writeSync } from 'node:fs'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { callEvents } from './call-events.ts'

const [path = '', effects = '', session = '', count = '0'] = process.argv.slice(2)
const store = openSqliteStore({
  path,
  onTrouble(trouble) {
    if (trouble) throw new Error(trouble)
  },
})

writeSync(1, 'ready\n')
const lanes = 8
let made = 0
await Promise.all(Array.from({ length: lanes }, lane))
store.close()

async function lane(): Promise<void> {
  while (made < Number(count)) {
    const number = made++
    if (number % 4 === 3) await readCall(`${session}-r${number}`)
    else await writeCall(`${session}-w${number}`)
  }
}

/** Written behind: the promise is only that what is older than 50 ms is there. */
async function readCall(call: string): Promise<void> {
  for (const body of callEvents({ session, call })) store.append(body)
  say('read', call)
  await new Promise((resolve) => setImmediate(resolve))
}

async function writeCall(call: string): Promise<void> {
  const events = callEvents({ session, call, tool: 'write_file' })
  for (const body of events.slice(0, 3)) store.append(body)
  await store.begin({ session, call, effect: 'write', idempotent: false })
  appendFileSync(effects, `${call}\n`)
  for (const body of events.slice(3)) store.append(body)
  await store.commit()
  say('acknowledged', call)
}

/** Straight to the pipe, so that it is out before the process can die. */
function say(what: string, call: string): void {
  writeSync(1, `${what} ${call} ${Date.now()}\n`)
}
