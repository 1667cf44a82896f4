import type { Event, Todo } from '../session/event.ts'
import { printableLine } from '../text/printable.ts'
import type { CallLook } from './call-lines.ts'
import { cutToWidth, wrapWords } from './text-width.ts'

const TODO_MARKS: Readonly<Record<Todo['state'], string>> = { open: '[ ]', active: '[>]', done: '[x]' }

/** Returns the lines of an event that is neither a message nor a call: the to-do list, folded context, changed tools, problems. None for events that a person need not see. */
export function noteLines(event: Event, { paint, columns }: Pick<CallLook, 'paint' | 'columns'>): string[] {
  const shorten = (text: string) => cutToWidth(printableLine(text), columns - 3)
  switch (event.type) {
    case 'todos':
      return event.items.map(({ text, state }) =>
        paint(state === 'active' ? 'bold' : 'dim', `  ${shorten(`${TODO_MARKS[state]} ${text}`)}`),
      )
    case 'context-folded':
      return [paint('dim', `  ${shorten('Older parts of the conversation were folded to fit the context window.')}`)]
    case 'tools-changed':
      return [paint('dim', `  ${shorten(describeTools(event))}`)]
    case 'model-retry':
      return wrapWords(describeRetry(event), columns - 3).map((row) => paint('yellow', `  ${row}`))
    case 'model-call':
      return (event.repairs ?? []).map((repair) => paint('dim', `  ${shorten(repair)}`))
    case 'call-problem':
      return [paint('yellow', `  ${shorten(event.text)}`)]
    case 'task-port':
      return [paint('cyan', `  ${shorten(`Port ${event.inside} is open at ${event.url}`)}`)]
    case 'plan-report':
      return wrapWords(`Plan ${event.plan} ${event.state}: ${printableLine(event.text)}`, columns - 3).map(
        (row) => `  ${paint(event.state === 'completed' ? 'green' : 'yellow', row)}`,
      )
    case 'run-stop':
      return [paint('yellow', `  ${shorten(`Asked to stop by ${event.by}.`)}`)]
    default:
      return []
  }
}

/** Returns the lines of a message that Haft wrote to the model. */
export function noticeLines(text: string, { paint, columns }: Pick<CallLook, 'paint' | 'columns'>): string[] {
  return wrapWords(`Haft told the model: ${printableLine(text)}`, columns - 3).map((row) => paint('yellow', `  ${row}`))
}

function describeRetry({ reason, seconds }: Extract<Event, { type: 'model-retry' }>): string {
  const when = seconds < 1 ? 'at once' : `in ${Math.ceil(seconds)} s`
  return `${printableLine(reason).replace(/[.\s]*$/, '.')} Asking again ${when}.`
}

function describeTools({ added, removed, changed }: Extract<Event, { type: 'tools-changed' }>): string {
  const parts = [
    ...(added.length > 0 ? [`new: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`gone: ${removed.join(', ')}`] : []),
    ...(changed.length > 0 ? [`changed: ${changed.join(', ')}`] : []),
  ]
  return `Tools changed. ${parts.join('; ')}`
}
