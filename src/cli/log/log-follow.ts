import type { Host } from '../../app/host.ts'
import type { CallRecord } from '../../core/call/call-record.ts'
import type { CallFilter } from '../../core/ports/log.ts'
import type { Event } from '../../core/session/event.ts'
import type { Cli } from '../terminal/front-end.ts'
import { answeredLines, callLines, repairedLines, waitingLines } from './log-lines.ts'

interface Following {
  readonly filter: CallFilter
  readonly json: boolean
  readonly signal: AbortSignal
}

/** Prints new entries of every process until it is stopped: each call that ends, each approval request with the command that answers it, each answer, what was repaired in a model's reply; or every event as JSON. */
export async function followLog(cli: Cli, host: Host, following: Following): Promise<void> {
  const { log } = host
  const events = log.follow({ after: await log.end(), signal: following.signal })
  const show = following.json ? jsonWriter(cli, host, following) : lineWriter(cli, host, following)
  for await (const event of events) await show(event)
}

type Show = (event: Event) => Promise<void>

function jsonWriter(cli: Cli, host: Host, { filter }: Following): Show {
  return async (event) => {
    const isWanted = 'call' in event ? await findWanted(host, filter, event) : isOfSession(filter, event)
    if (isWanted) cli.writeJson(event)
  }
}

/** Shows open approval requests at once, and an answer only if its request was shown. */
function lineWriter(cli: Cli, host: Host, { filter, signal }: Following): Show {
  const waiting = new Set<string>()
  const print = (lines: readonly string[]) => {
    for (const line of lines) cli.print(line)
  }
  const stop = host.approvals.on({
    async asked(open) {
      const { approval } = open.request
      waiting.add(approval)
      if (open.answer || !(await findWanted(host, filter, open.request))) waiting.delete(approval)
      else print(waitingLines(open, Date.now()))
    },
  })
  signal.addEventListener('abort', stop, { once: true })
  return async (event) => {
    if (event.type === 'approval-answer') {
      const record = waiting.delete(event.approval) ? await findWanted(host, filter, event) : undefined
      if (record) print(answeredLines(record, event, Date.now()))
    } else if (event.type === 'call-end') {
      const record = await findWanted(host, filter, event)
      if (record) print(callLines([record], Date.now()))
    } else if (event.type === 'model-call' && isOfSession(filter, event)) print(repairedLines(event, Date.now()))
  }
}

/** True for an event of a session, and of no call, that passes the filter: no other filter than the session may be given. */
function isOfSession({ limit: _, session, ...ofCalls }: CallFilter, event: Event): boolean {
  return Object.keys(ofCalls).length === 0 && (session ?? event.session) === event.session
}

/** Resolves to the call of an event, if it passes the filter. */
async function findWanted(
  { log }: Host,
  filter: CallFilter,
  { session, call }: { readonly session: string; readonly call: string },
): Promise<CallRecord | undefined> {
  const isOther = (filter.session ?? session) !== session || (filter.call ?? call) !== call
  return isOther ? undefined : (await log.calls({ ...filter, session, call, limit: 1 }))[0]
}
