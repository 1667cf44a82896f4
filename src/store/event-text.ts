import { jsonText } from '../core/call-record.ts'
import type { Event } from '../core/event.ts'

/** An event as JSON. The events that every call has are put together by hand, which is three times as fast. */
export function eventText(event: Event): string {
  if (event.type === 'call-run') {
    const changed = 'arguments' in event ? `,"arguments":${jsonText(event.arguments)}` : ''
    return textOf(event, `"clearedBy":${JSON.stringify(event.clearedBy)}${changed}`)
  }
  if (event.type === 'call-judged') {
    const { decision, rule, reason, trace } = event
    const why = `"rule":${JSON.stringify(rule)},"reason":${JSON.stringify(reason)}`
    return textOf(event, `"decision":"${decision}",${why},"trace":${trace.length === 0 ? '[]' : jsonText(trace)}`)
  }
  if (event.type === 'call-start')
    return textOf(event, `"name":${JSON.stringify(event.name)},"arguments":${jsonText(event.arguments)}`)
  if (event.type === 'call-end') return textOf(event, `"result":${jsonText(event.result)},"duration":${event.duration}`)
  return jsonText(event)
}

function textOf({ type, session, call, seq, at }: Event, own: string): string {
  return `{"type":"${type}","session":${quote(session)},"call":${quote(call)},${own},"seq":${seq},"at":${at}}`
}

/** Ids as we make them need no escaping; others may. */
function quote(id: string): string {
  return /^[\w-]*$/.test(id) ? `"${id}"` : JSON.stringify(id)
}

/** Compiles only while every member of these events is written above: a new one must be added there. */
type Written = 'type' | 'session' | 'call' | 'seq' | 'at'
type Left<Type extends Event['type'], Own> = Exclude<keyof Extract<Event, { type: Type }>, Written | Own>
type Forgotten =
  | Left<'call-run', 'clearedBy' | 'arguments'>
  | Left<'call-judged', 'decision' | 'rule' | 'reason' | 'trace'>
  | Left<'call-start', 'name' | 'arguments'>
  | Left<'call-end', 'result' | 'duration'>
const complete: [Forgotten] extends [never] ? true : never = true
void complete
