// A process that sends messages to sessions and runs those whose lease it gets: orders on stdin, a line each, answers on stdout.
import { createInterface } from 'node:readline'
import type { Storage } from '../../src/core/ports/storage.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { callEvents } from './call-events.ts'

const [path = '', name = ''] = process.argv.slice(2)
const storage: Storage = openSqliteStorage({ path })
const { leases, log, ledger } = storage
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Sends one message. The process that gets the lease runs the session until it has handled both messages. */
async function race(session: string): Promise<void> {
  const { isHolder } = await leases.claim(session, { role: 'user', content: name })
  if (!isHolder) return void print('sent')
  const heard: string[] = []
  for await (const event of log.follow({ session, after: 0 })) {
    if (event.type !== 'message') continue
    heard.push(event.content)
    if (heard.length === 2 && (await leases.end(session, event.cursor))) break
  }
  print(`ran ${heard.sort().join()}`)
}

/** Takes a session and begins a call in it that never ends. */
async function hold(session: string): Promise<void> {
  const { isHolder } = await leases.claim(session, { role: 'user', content: name })
  const call = `c_${name}_${session}`
  for (const body of callEvents({ call, session }).slice(0, 3)) log.append(body)
  await ledger.begin({ session, call, effect: 'write', idempotent: false })
  print(isHolder ? 'holder' : 'other')
}

/** Sends a message and says whether that made this process the one that runs the session. */
async function claim(session: string): Promise<void> {
  const { isHolder } = await leases.claim(session, { role: 'user', content: name })
  print(isHolder ? 'holder' : 'other')
}

const ORDERS: Readonly<Record<string, (session: string) => Promise<void>>> = { race, hold, claim }

print('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const [order = '', session = ''] = line.split(' ')
  await ORDERS[order]?.(session)
}
storage.close()
