import { failure, type Result } from '../../src/core/call/result.ts'
import type { Log } from '../../src/core/ports/log.ts'
import type { Decision } from '../../src/core/rules/rule.ts'
import type { Event, EventBody } from '../../src/core/session/event.ts'

/** What a test says of a call; the rest is ordinary. */
export interface CallSketch {
  session?: string
  call: string
  tool?: string
  arguments?: unknown
  decision?: Decision
  result?: Result
}

/** The events of a call from start to end, in order. */
export function callEvents(sketch: CallSketch): EventBody[] {
  const { session = 's1', call, tool = 'read_file', decision = 'allow' } = sketch
  const of = { session, call }
  const denied = decision === 'deny'
  const result = sketch.result ?? (denied ? failure('BLOCKED', 'no') : { ok: true, text: 'done', data: { done: true } })
  return [
    { type: 'call-start', ...of, name: tool, arguments: sketch.arguments ?? { path: 'a.txt' } },
    { type: 'call-judged', ...of, decision, rule: 'a rule', reason: 'because', trace: [] },
    ...(denied ? [] : [{ type: 'call-run', ...of, clearedBy: 'a rule' } as const]),
    { type: 'call-end', ...of, result, duration: 1.5 },
  ]
}

/** Appends a call from start to end. */
export function appendCall(log: Pick<Log, 'append'>, sketch: CallSketch): Event[] {
  return callEvents(sketch).map((body) => log.append(body))
}

/** The events without their cursors, to be compared with those that `append` gave. */
export function withoutCursors(events: readonly (Event & { readonly cursor?: number })[]): Event[] {
  return events.map(({ cursor: _, ...event }) => event)
}
