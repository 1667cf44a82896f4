import { setTimeout as pause } from 'node:timers/promises'
import type { CallRecord } from '../core/call-record.ts'
import type { Event } from '../core/event.ts'
import type { CallFilter } from '../core/store.ts'
import type { Host } from '../host.ts'
import type { Cli } from './face.ts'
import { answeredLines, callLines, waitingLines } from './log-lines.ts'

/** How often other processes are looked for, in milliseconds. */
const PERIOD = 100

interface Following {
  readonly filter: CallFilter
  readonly json: boolean
  readonly signal: AbortSignal
}

/** Prints what happens from now on, in any process, until it is stopped: a line for each call that ends, what waits for an answer and how to give it, and the answers; or each event as JSON. */
export async function followLog(cli: Cli, host: Host, following: Following): Promise<void> {
  const { log } = host
  const { signal } = following
  let { cursor } = log.tail(-1)
  const show = following.json ? jsonWriter(cli, host, following) : lineWriter(cli, host, following)
  while (!signal.aborted) {
    const { events, cursor: next } = log.tail(cursor)
    cursor = next
    for (const event of events) show(event)
    if (events.length === 0) await pause(PERIOD, undefined, { signal }).catch(() => undefined)
  }
}

function jsonWriter(cli: Cli, host: Host, { filter }: Following): (event: Event) => void {
  return (event) => void (findWanted(host, filter, event) && cli.write(`${JSON.stringify(event)}\n`))
}

/** What is open when it starts is shown at once; an answer only where the approval request was shown. */
function lineWriter(cli: Cli, host: Host, { filter, signal }: Following): (event: Event) => void {
  const waiting = new Set<string>()
  const say = (lines: readonly string[]) => {
    for (const line of lines) cli.say(line)
  }
  const stop = host.approvals.on({
    asked(open) {
      if (open.answer || !findWanted(host, filter, open.question)) return
      waiting.add(open.question.approval)
      say(waitingLines(open, Date.now()))
    },
  })
  signal.addEventListener('abort', stop, { once: true })
  return (event) => {
    if (event.type === 'approval-answer') {
      const record = waiting.delete(event.approval) && findWanted(host, filter, event)
      if (record) say(answeredLines(record, event, Date.now()))
    } else if (event.type === 'call-end') {
      const record = findWanted(host, filter, event)
      if (record) say(callLines([record], Date.now()))
    }
  }
}

/** The call that this is about, where the filter lets it through. */
function findWanted(
  { log }: Host,
  filter: CallFilter,
  { session, call }: { readonly session: string; readonly call: string },
): CallRecord | undefined {
  const isOther = (filter.session ?? session) !== session || (filter.call ?? call) !== call
  return isOther ? undefined : log.calls({ ...filter, session, call, limit: 1 })[0]
}
