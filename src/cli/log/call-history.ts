import type { CallRecord } from '../../core/call/call-record.ts'
import { jsonText } from '../../core/call/call-record.ts'
import type { ChangedFiles } from '../../core/ports/sandbox.ts'
import type { KeptReplaced } from '../../core/ports/undo-store.ts'
import type { Event } from '../../core/session/event.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { hangText, wrapWords } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { columnsOf, paint } from '../terminal/front-end.ts'
import { showAnswer, showOutcome } from './log-lines.ts'

/** Returns the history of a call: its arguments, repairs, decision with trace, approval, output, result, and the files it changed. */
export function historyLines(
  record: CallRecord,
  events: readonly Event[],
  replaced: readonly KeptReplaced[],
): string[] {
  const head = `${paint('bold', record.tool)}  ${showOutcome(record)}  ${paint('dim', `${record.call} in ${record.session}`)}`
  const lines = joinDeltas(events).flatMap((event) => {
    const clock = new Date(event.at).toISOString().slice(11, 23)
    return hangText(`${paint('dim', clock)}  `, describeEvent(event).join('\n'), columnsOf(process.stdout))
  })
  const when = paint('dim', `${showMoment(record.at, 0)}, times below in UTC`)
  const top = [head, when].flatMap((line) => wrapWords(line, columnsOf(process.stdout)))
  return [...top, ...lines, ...replaced.map(changeLine)]
}

/** Describes one event: a title, and lines below it. */
function describeEvent(event: Event): string[] {
  switch (event.type) {
    case 'call-start':
      return [paint('bold', 'called'), paint('reset', pretty(event.arguments))]
    case 'call-repaired':
      return [paint('bold', 'repaired'), ...event.repairs.map((repair) => paint('reset', repair))]
    case 'call-judged':
      return [
        `${paint('bold', 'judged')} ${paint('cyan', event.decision)} by ${paint('reset', event.rule)}${event.mode ? ` in mode ${event.mode}` : ''}: ${paint('reset', event.reason)}`,
        ...event.trace.map(({ layer, rule, decision, reason }) =>
          paint('dim', `${layer}: ${rule}: ${decision}: ${reason}`),
        ),
        ...('arguments' in event
          ? [`${paint('bold', 'parsed arguments')}`, paint('reset', pretty(event.arguments))]
          : []),
      ]
    case 'approval-request':
      return [
        `${paint('bold', 'approval requested')}: ${paint('reset', event.reason)}`,
        ...event.effects.map((effect) => paint('cyan', effect)),
        ...(event.preview ? [paint('reset', event.preview.text)] : []),
      ]
    case 'approval-answer':
      return answerPart(event)
    case 'call-run':
      return [
        `${paint('bold', 'run')}, allowed by ${paint('reset', event.clearedBy)}`,
        ...('arguments' in event ? [paint('reset', pretty(event.arguments))] : []),
      ]
    case 'call-delta':
      return [paint('bold', 'output'), paint('reset', event.text)]
    case 'call-progress':
      return [`${paint('bold', 'still running')} after ${event.seconds} s`]
    case 'delegate-request':
    case 'delegate-answer':
      return delegatePart(event)
    case 'call-problem':
      return [`${paint('bold', 'problem')}: ${paint('yellow', event.text)}`]
    case 'call-connect':
      return [
        `${paint('bold', event.allowed ? 'connected' : 'connection refused')}: ${paint('reset', event.reason ?? event.host)}`,
      ]
    case 'task-port':
    case 'task-start':
    case 'task-cancel':
    case 'task-apply':
    case 'task-discard':
    case 'task-end':
      return describeTask(event)
    case 'call-end': {
      const { result } = event
      return [
        `${paint('bold', 'ended')} ${result.ok ? paint('green', 'ok') : paint('red', result.code)}`,
        paint('reset', result.text),
      ]
    }
    default:
      return [paint('bold', event.type)]
  }
}

type TaskEvent = Extract<Event, { type: `task-${string}` }>

function describeTask(event: TaskEvent): string[] {
  switch (event.type) {
    case 'task-port':
      return [`${paint('bold', 'port opened')}: ${event.inside} at ${paint('cyan', event.url)}`]
    case 'task-start':
      return [`${paint('bold', 'moved to the background')}`]
    case 'task-cancel':
      return [`${paint('bold', 'cancel requested')}`]
    case 'task-apply':
    case 'task-discard':
      return settledPart(event)
    default:
      return [`${paint('bold', 'task ended')}`]
  }
}

function settledPart(event: Extract<Event, { type: 'task-apply' | 'task-discard' }>): string[] {
  const [what, files] =
    event.type === 'task-apply' ? (['applied', event.changed] as const) : (['discarded', event.discarded] as const)
  return [`${paint('bold', `waiting changes ${what}`)} by ${paint('reset', event.by)}`, ...changeLines(files)]
}

/** The most paths that are shown of one decision. */
const MAX_SHOWN = 20

function changeLines({ added, changed, deleted }: ChangedFiles): string[] {
  const lines = [
    ...added.map((path) => `added ${path}`),
    ...changed.map((path) => `changed ${path}`),
    ...deleted.map((path) => `deleted ${path}`),
  ]
  const more = lines.length > MAX_SHOWN ? [`and ${lines.length - MAX_SHOWN} more`] : []
  return [...lines.slice(0, MAX_SHOWN), ...more].map((line) => paint('reset', line))
}

function answerPart(event: Extract<Event, { type: 'approval-answer' }>): string[] {
  const { reply } = event
  const head = `${paint('bold', 'answered')} ${showAnswer(event)}`
  return reply.approved && 'modifiedArgs' in reply ? [head, paint('reset', pretty(reply.modifiedArgs))] : [head]
}

function delegatePart(event: Extract<Event, { type: 'delegate-request' | 'delegate-answer' }>): string[] {
  if (event.type === 'delegate-request') {
    const { kind, ...what } = event.effect
    return [`${paint('bold', 'app request')}: ${kind}`, paint('reset', pretty(what))]
  }
  const { answer } = event
  const outcome = answer.done
    ? paint('green', 'done')
    : `${paint('yellow', 'not done')}: ${paint('reset', answer.reason)}`
  return [`${paint('bold', 'app answer')}: ${outcome}`]
}

/** Joins consecutive pieces of output into one. */
function joinDeltas(events: readonly Event[]): Event[] {
  const joined: Event[] = []
  for (const event of events) {
    const last = joined.at(-1)
    if (event.type === 'call-delta' && last?.type === 'call-delta')
      joined[joined.length - 1] = { ...last, text: last.text + event.text }
    else joined.push(event)
  }
  return joined
}

function changeLine({ path, before, movedFrom }: KeptReplaced): string {
  const what = movedFrom !== undefined ? `moved from ${movedFrom}` : before === null ? 'created' : describeKept(before)
  return `${paint('bold', 'changed')}       ${paint('cyan', printableLine(path))} ${paint('dim', printableLine(what))}`
}

function describeKept(kept: NonNullable<KeptReplaced['before']>): string {
  if (kept.type !== 'file') return `was a ${kept.type === 'symlink' ? `link to ${kept.target}` : 'folder'}`
  return kept.bytes === null
    ? 'the old content was not kept (too large or unreadable): undo cannot restore it'
    : `was ${kept.bytes.length} bytes`
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? jsonText(value))
}
