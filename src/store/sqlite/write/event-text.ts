import { jsonText } from '../../../core/call/call-record.ts'
import type { Event } from '../../../core/session/event.ts'

/** Returns the parts of an event that callers may still change after appending it, as JSON; undefined when there are none. */
export function changeableText(event: Event): string | undefined {
  switch (event.type) {
    case 'call-start':
    case 'call-judged':
    case 'call-run':
    case 'call-delta':
    case 'message-delta':
      return undefined
    case 'call-end':
      return jsonText(event.result)
    default:
      return membersText(event)
  }
}

/**
 * Returns an event as JSON without what its row holds: the session and the common id prefix of its writer. `kept` is what
 * `changeableText` returned. The events of every call are written by hand, three times as fast as JSON.stringify (gate 1b).
 */
export function eventText(event: Event, writer: string, kept = changeableText(event)): string {
  const call = 'call' in event ? `,"call":${quote(event.call)}` : ''
  return `{"type":"${event.type}"${call}${ownText(event, kept)},"id":"${event.id.slice(writer.length)}","at":${event.at}}`
}

function ownText(event: Event, kept: string | undefined): string {
  switch (event.type) {
    case 'call-start':
      return `,"name":${quote(event.name)},"arguments":${jsonText(event.arguments)}`
    case 'call-judged': {
      const { decision, rule, reason, trace, mode, existence } = event
      const judgedIn = mode === undefined ? '' : `,"mode":"${mode}"`
      const looked = existence === undefined ? '' : `,"existence":${jsonText(existence)}`
      const traced = trace.length === 0 ? '[]' : jsonText(trace)
      const parsed = 'arguments' in event ? `,"arguments":${jsonText(event.arguments)}` : ''
      return `,"decision":"${decision}","rule":${quote(rule)},"reason":${quote(reason)},"trace":${traced}${judgedIn}${looked}${parsed}`
    }
    case 'call-run': {
      const changed = 'arguments' in event ? `,"arguments":${jsonText(event.arguments)}` : ''
      return `,"clearedBy":${quote(event.clearedBy)}${changed}`
    }
    case 'call-delta':
    case 'message-delta': {
      const reasoning = 'reasoning' in event ? ',"reasoning":true' : ''
      return `,"text":${JSON.stringify(event.text)},"offset":${event.offset}${reasoning}`
    }
    case 'call-end':
      return `,"result":${kept},"duration":${event.duration}`
    default:
      return kept ?? ''
  }
}

/** Members of every event, which are written separately. */
const COMMON: ReadonlySet<string> = new Set(['type', 'session', 'call', 'id', 'at'])

/** Writes the members of one event type, each after a comma. */
function membersText(event: Event): string {
  const own = Object.entries(event).filter(([name, value]) => !COMMON.has(name) && value !== undefined)
  return own.map(([name, value]) => `,"${name}":${jsonText(value)}`).join('')
}

/** Names and ids that need no escaping, which are most. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
const PLAIN = /^[\w -]*$/

/** A compile-time check that every member of these events is written above. */
type Written = 'type' | 'session' | 'call' | 'id' | 'at'
type Left<Type extends Event['type'], Own> = Exclude<keyof Extract<Event, { type: Type }>, Written | Own>
type Forgotten =
  | Left<'call-start', 'name' | 'arguments'>
  | Left<'call-judged', 'decision' | 'rule' | 'reason' | 'trace' | 'mode' | 'existence' | 'arguments'>
  | Left<'call-run', 'clearedBy' | 'arguments'>
  | Left<'call-delta', 'text' | 'offset'>
  | Left<'message-delta', 'text' | 'offset' | 'reasoning'>
  | Left<'call-end', 'result' | 'duration'>
const complete: [Forgotten] extends [never] ? true : never = true
void complete
