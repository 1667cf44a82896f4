import type { LogReader } from '../../app/home-options.ts'
import { countRepairs, type ModelRepairs } from '../../core/session/count-repairs.ts'
import type { Event } from '../../core/session/event.ts'
import type { SessionRecord } from '../../core/session/session-record.ts'

/** Counts what was read and repaired per model in these sessions; those without a model are not read. */
export async function readModelRepairs(
  log: LogReader,
  sessions: readonly Pick<SessionRecord, 'session' | 'model'>[],
): Promise<readonly ModelRepairs[]> {
  const events: Event[] = []
  for (const { session, model } of sessions) {
    if (model === null) continue
    // Texts and outputs are dropped session by session: only the events that count are kept.
    for (const event of await log.read({ session })) if (COUNTED.has(event.type)) events.push(event)
  }
  return countRepairs(events)
}

const COUNTED: ReadonlySet<Event['type']> = new Set([
  'run-start',
  'run-end',
  'model-call',
  'call-start',
  'call-repaired',
])

/** How many kinds of repairs are shown. */
const SHOWN = 3

/** Describes the counts of one model: `12 replies, 3 of them repaired; 7 calls, 1 of them repaired: Read calls printed as text (hermes) 3 times` */
export function describeRepairs(counts: ModelRepairs): string {
  const { replies, repairedReplies, calls, repairedCalls, repairs } = counts
  const parts = [
    countOf(replies, ['reply', 'replies'], repairedReplies),
    ...(calls > 0 ? [countOf(calls, ['call', 'calls'], repairedCalls)] : []),
  ]
  const shown = repairs
    .slice(0, SHOWN)
    .map(({ repair, count }) => `${repair} ${count === 1 ? 'once' : `${count} times`}`)
  const more = repairs.length > SHOWN ? [`${repairs.length - SHOWN} more`] : []
  return `${parts.join('; ')}${shown.length > 0 ? `: ${[...shown, ...more].join(', ')}` : ''}`
}

function countOf(count: number, [one, many]: readonly [string, string], repaired: number): string {
  const counted = `${count} ${count === 1 ? one : many}`
  if (repaired === 0) return `${counted}, none repaired`
  return count === 1 ? `${counted}, repaired` : `${counted}, ${repaired} of them repaired`
}
