// A process that makes calls as the pipeline does, until it is killed; it writes to stdout what it was promised.
import { appendFileSync, writeSync } from 'node:fs'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { callEvents } from './call-events.ts'

const [path = '', effects = '', session = '', count = '0'] = process.argv.slice(2)
const { log, ledger, close } = openSqliteStorage({
  path,
  onProblem(problem) {
    if (problem) throw new Error(problem)
  },
})

writeSync(1, 'ready\n')
const lanes = 8
let made = 0
await Promise.all(Array.from({ length: lanes }, lane))
close()

async function lane(): Promise<void> {
  while (made < Number(count)) {
    const number = made++
    if (number % 4 === 3) await readCall(`${session}-r${number}`)
    else await writeCall(`${session}-w${number}`)
  }
}

/** Written behind: the promise is only that what is older than 50 ms is there. */
async function readCall(call: string): Promise<void> {
  for (const body of callEvents({ session, call })) log.append(body)
  print('read', call)
  await new Promise((resolve) => setImmediate(resolve))
}

async function writeCall(call: string): Promise<void> {
  const events = callEvents({ session, call, tool: 'write_file' })
  for (const body of events.slice(0, 3)) log.append(body)
  await ledger.begin({ session, call, effect: 'write', idempotent: false })
  appendFileSync(effects, `${call}\n`)
  for (const body of events.slice(3)) log.append(body)
  await log.flush()
  print('acknowledged', call)
}

/** Straight to the pipe, so that it is out before the process can die. */
function print(what: string, call: string): void {
  writeSync(1, `${what} ${call} ${Date.now()}\n`)
}
