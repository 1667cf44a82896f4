import type { Event, EventBody } from '../../src/core/event.ts'
import { failure, type Result } from '../../src/core/result.ts'
import type { Decision } from '../../src/core/rule.ts'
import type { Store } from '../../src/core/store.ts'

/** What a test says of a call; the rest is ordinary. */
export interface CallSketch {
  session?: string
  call: string
  tool?: string
  arguments?: unknown
  decision?: Decision
  result?: Result
}

/** The events of a whole call, in order. */
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

/** Appends a whole call. */
export function appendCall(store: Store, sketch: CallSketch): Event[] {
  return callEvents(sketch).map((body) => store.append(body))
}
