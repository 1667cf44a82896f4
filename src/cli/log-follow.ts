import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '../core/event.ts'
import type { CallFilter } from '../core/store.ts'
import type { Log } from '../host.ts'
import type { Cli } from './face.ts'
import { callLines } from './log-lines.ts'

/** How often other processes are looked for, in milliseconds. */
const PERIOD = 100

interface Following {
  readonly filter: CallFilter
  readonly json: boolean
  readonly signal: AbortSignal
}

/** Prints what happens from now on, in any process, until it is stopped: a line for each call that ends, or each event as JSON. */
export async function followLog(cli: Cli, log: Log, { filter, json, signal }: Following): Promise<void> {
  let { cursor } = log.tail(-1)
  while (!signal.aborted) {
    const { events, cursor: next } = log.tail(cursor)
    cursor = next
    for (const event of events) show(cli, log, { event, filter, json })
    if (events.length === 0) await pause(PERIOD, undefined, { signal }).catch(() => undefined)
  }
}

function show(cli: Cli, log: Log, { event, filter, json }: { event: Event; filter: CallFilter; json: boolean }): void {
  if (!json && event.type !== 'call-end') return
  const [record] = log.calls({ ...filter, session: event.session, call: event.call, limit: 1 })
  const wanted = record && (filter.session ?? record.session) === record.session
  if (!wanted) return
  if (json) cli.write(`${JSON.stringify(event)}\n`)
  else for (const line of callLines([record], Date.now())) cli.say(line)
}
