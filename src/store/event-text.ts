import { jsonText } from '../core/call-record.ts'
import type { Event } from '../core/event.ts'

/** What of an event others may still change after it was told, as JSON to be kept from then on; undefined where there is nothing. */
export function changeableText(event: Event): string | undefined {
  switch (event.type) {
    case 'call-start':
    case 'call-judged':
    case 'call-run':
    case 'call-delta':
      return undefined
    case 'call-end':
      return jsonText(event.result)
    default:
      return membersText(event)
  }
}

/** An event as JSON, without its session, which its row names; `kept` is what `changeableText` said of it. The events that every call has are put together by hand, which is three times as fast. */
export function eventText(event: Event, kept = changeableText(event)): string {
  const { type, call, seq, at } = event
  return `{"type":"${type}","call":${quote(call)}${ownText(event, kept)},"seq":${seq},"at":${at}}`
}

function ownText(event: Event, kept: string | undefined): string {
  switch (event.type) {
    case 'call-start':
      return `,"name":${quote(event.name)},"arguments":${jsonText(event.arguments)}`
    case 'call-judged': {
      const { decision, rule, reason, trace } = event
      const traced = trace.length === 0 ? '[]' : jsonText(trace)
      const parsed = 'arguments' in event ? `,"arguments":${jsonText(event.arguments)}` : ''
      return `,"decision":"${decision}","rule":${quote(rule)},"reason":${quote(reason)},"trace":${traced}${parsed}`
    }
    case 'call-run': {
      const changed = 'arguments' in event ? `,"arguments":${jsonText(event.arguments)}` : ''
      return `,"clearedBy":${quote(event.clearedBy)}${changed}`
    }
    case 'call-delta':
      return `,"text":${JSON.stringify(event.text)}`
    case 'call-end':
      return `,"result":${kept},"duration":${event.duration}`
    default:
      return kept ?? ''
  }
}

/** The members that only this type of event has, each after a comma. */
function membersText({ type: _, session: _session, call: _call, seq: _seq, at: _at, ...own }: Event): string {
  const members = Object.entries(own).filter(([, value]) => value !== undefined)
  return members.map(([name, value]) => `,"${name}":${jsonText(value)}`).join('')
}

/** Names and ids as most are need no escaping. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
const PLAIN = /^[\w -]*$/

/** Compiles only while every member of these events is written above: a new one must be added there. */
type Written = 'type' | 'session' | 'call' | 'seq' | 'at'
type Left<Type extends Event['type'], Own> = Exclude<keyof Extract<Event, { type: Type }>, Written | Own>
type Forgotten =
  | Left<'call-start', 'name' | 'arguments'>
  | Left<'call-judged', 'decision' | 'rule' | 'reason' | 'trace' | 'arguments'>
  | Left<'call-run', 'clearedBy' | 'arguments'>
  | Left<'call-delta', 'text'>
  | Left<'call-end', 'result' | 'duration'>
const complete: [Forgotten] extends [never] ? true : never = true
void complete
