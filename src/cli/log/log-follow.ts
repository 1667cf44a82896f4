import type { Host } from '../../app/host.ts'
import type { CallRecord } from '../../core/call/call-record.ts'
import type { CallFilter } from '../../core/ports/log.ts'
import type { Event } from '../../core/session/event.ts'
import type { Cli } from '../terminal/front-end.ts'
import { answeredLines, callLines, waitingLines } from './log-lines.ts'

interface Following {
  readonly filter: CallFilter
  readonly json: boolean
  readonly signal: AbortSignal
}

/** Prints what happens from now on, in any process, until it is stopped: a line for each call that ends, what waits for an answer and how to give it, and the answers; or each event as JSON. */
export async function followLog(cli: Cli, host: Host, following: Following): Promise<void> {
  const { log } = host
  const events = log.follow({ after: await log.end(), signal: following.signal })
  const show = following.json ? jsonWriter(cli, host, following) : lineWriter(cli, host, following)
  for await (const event of events) await show(event)
}

type Show = (event: Event) => Promise<void>

function jsonWriter(cli: Cli, host: Host, { filter }: Following): Show {
  const { limit: _, session, ...ofCalls } = filter
  const isPlain = Object.keys(ofCalls).length === 0
  return async (event) => {
    const isOther = (session ?? event.session) !== event.session
    const isWanted = 'call' in event ? await findWanted(host, filter, event) : isPlain && !isOther
    if (isWanted) cli.write(`${JSON.stringify(event)}\n`)
  }
}

/** What is open when it starts is shown at once; an answer only where the approval request was shown. */
function lineWriter(cli: Cli, host: Host, { filter, signal }: Following): Show {
  const waiting = new Set<string>()
  const say = (lines: readonly string[]) => {
    for (const line of lines) cli.say(line)
  }
  const stop = host.approvals.on({
    async asked(open) {
      const { approval } = open.question
      waiting.add(approval)
      if (open.answer || !(await findWanted(host, filter, open.question))) waiting.delete(approval)
      else say(waitingLines(open, Date.now()))
    },
  })
  signal.addEventListener('abort', stop, { once: true })
  return async (event) => {
    if (event.type === 'approval-answer') {
      const record = waiting.delete(event.approval) ? await findWanted(host, filter, event) : undefined
      if (record) say(answeredLines(record, event, Date.now()))
    } else if (event.type === 'call-end') {
      const record = await findWanted(host, filter, event)
      if (record) say(callLines([record], Date.now()))
    }
  }
}

/** The call that this is about, where the filter lets it through. */
async function findWanted(
  { log }: Host,
  filter: CallFilter,
  { session, call }: { readonly session: string; readonly call: string },
): Promise<CallRecord | undefined> {
  const isOther = (filter.session ?? session) !== session || (filter.call ?? call) !== call
  return isOther ? undefined : (await log.calls({ ...filter, session, call, limit: 1 }))[0]
}
