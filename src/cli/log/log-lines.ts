import type { OpenRequest } from '../../core/approval/approval-queue.ts'
import type { CallRecord } from '../../core/call/call-record.ts'
import type { ModelRepairs } from '../../core/session/count-repairs.ts'
import type { Event } from '../../core/session/event.ts'
import type { SessionRecord } from '../../core/session/session-record.ts'
import { showDuration, showMoment } from '../../core/terminal/since.ts'
import { cutToWidth, hangText } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { describeRepairs } from '../models/model-repairs.ts'
import { columnsOf, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

/** Returns one line per session. */
export function sessionLines(sessions: readonly SessionRecord[], now: number): string[] {
  const rows = sessions.map(({ session, startedAt, lastAt, calls }): Cell[] => {
    const [start, end] = [showMoment(startedAt, now), showMoment(lastAt, now)]
    return [
      { style: 'bold', text: session },
      { style: 'dim', text: start === end ? end : `${start} – ${end}` },
      { style: 'reset', text: `${calls} ${calls === 1 ? 'call' : 'calls'}` },
    ]
  })
  return tableLines(rows, { last: 'wrap' })
}

/** Returns one row per model: its name, and what had to be read and repaired in its replies and calls. */
export function modelLines(models: readonly ModelRepairs[]): string[] {
  const rows = models.map((counts): Cell[] => [
    { style: 'bold', text: counts.model },
    { style: 'reset', text: describeRepairs(counts) },
  ])
  return tableLines(rows, { last: 'wrap' })
}

/** Returns the lines of a reply that had to be repaired, or whose model was told less of tools than their schemas say. */
export function repairedLines(event: Extract<Event, { type: 'model-call' }>, now: number): string[] {
  const { at, repairs = [], simplified = [], leftOut = [] } = event
  const head = `${paint('dim', showMoment(at, now))}  `
  const hang = (label: string, text: string) =>
    hangText(head, `${paint('yellow', label)} ${paint('reset', printableLine(text))}`, columnsOf(process.stdout))
  const told = `described in a simpler form (haft tools --report): ${simplified.join(', ')}`
  return [
    ...repairs.flatMap((repair) => hang('reply', repair)),
    ...(simplified.length > 0 ? hang('tools', told) : []),
    ...(leftOut.length > 0 ? hang('tools', `left out, since the server refuses them: ${leftOut.join(', ')}`) : []),
  ]
}

const DECISIONS = { allow: 'green', ask: 'yellow', deny: 'red' } as const

/** In fewer columns the list leaves out who allowed a call. */
const WIDE_ENOUGH = 60

/** Returns one row per call: time, tool, outcome, duration, decision and rule, who allowed it, id, start of the arguments. */
export function callLines(records: readonly CallRecord[], now: number): string[] {
  const isWide = columnsOf(process.stdout) >= WIDE_ENOUGH
  const rows = records.map((record): Cell[] => {
    const { call, at, tool, decision, rule, clearedBy, duration, arguments: args } = record
    return [
      { style: 'dim', text: showMoment(at, now) },
      { style: 'bold', text: tool },
      outcomeOf(record),
      { style: 'dim', text: duration === null ? '' : showDuration(duration), isRight: true },
      decision ? { style: DECISIONS[decision], text: decision } : { style: 'dim', text: '–' },
      { style: 'dim', text: decision ? `(${rule ?? ''})` : 'not judged' },
      ...(isWide ? [{ style: 'reset' as const, text: clearedBy === null ? '' : `by ${shortName(clearedBy)}` }] : []),
      { style: 'dim', text: call },
      { style: 'reset', text: args },
    ]
  })
  return tableLines(rows, { last: 'cut' })
}

/** The longest name that the list shows in full; the history of a call always does. */
const LONGEST_NAME = 16

/** Returns who allowed a call in one word. The column beside it names the rule or grant. */
function shortName(clearedBy: string): string {
  const [, kind] = /^(rule|grant|default|tool|person)\b/.exec(clearedBy) ?? []
  return kind ?? cutToWidth(printableLine(clearedBy), LONGEST_NAME)
}

/** Returns how a call ended, or its state. */
function outcomeOf({ outcome, ran }: CallRecord): Cell {
  if (outcome === null) return { style: 'yellow', text: ran ? 'running' : 'open' }
  return { style: outcome === 'ok' ? 'green' : 'red', text: outcome }
}

/** Returns the outcome and the duration of a call. */
export function showOutcome(record: CallRecord): string {
  const { style, text } = outcomeOf(record)
  return `${paint(style, text)}${record.duration === null ? '' : ` ${paint('dim', showDuration(record.duration))}`}`
}

/** How many effects of a waiting call are shown; `haft approvals ID` shows all. */
const SHOWN_EFFECTS = 3
const LONGEST_EFFECT = 160

/** Returns the lines of a call that waits for approval: the reason, its effects, and the command that answers. */
export function waitingLines({ request, askedAt }: OpenRequest, now: number): string[] {
  const { approval, tool, reason, rule, effects, hasRun } = request
  const columns = columnsOf(process.stdout)
  const head = `${paint('bold', tool)} ${paint('yellow', 'waits for approval')}: ${paint('reset', `${reason} (${rule})`)}`
  const shown = effects
    .slice(0, SHOWN_EFFECTS)
    .map((effect) => paint('cyan', cutToWidth(printableLine(effect), LONGEST_EFFECT)))
  const below = [
    ...shown,
    `${paint('bold', `haft approvals ${approval} yes`)} ${paint('dim', hasRun ? '(or no)' : '(or no, edit)')}`,
  ]
  return [
    ...hangText(`${paint('dim', showMoment(askedAt, now))}  `, head, columns),
    ...below.flatMap((text) => hangText('    ', text, columns)),
  ]
}

/** Returns the lines of an answer to an approval request. */
export function answeredLines({ tool }: CallRecord, event: AnswerEvent, now: number): string[] {
  const text = `${paint('bold', tool)} answered ${showAnswer(event)}`
  return hangText(`${paint('dim', showMoment(event.at, now))}  `, text, columnsOf(process.stdout))
}

type AnswerEvent = Extract<Event, { type: 'approval-answer' }>

/** Returns an answer in short: yes or no, by whom, and the reason. */
export function showAnswer({ reply, by }: AnswerEvent): string {
  const who = paint('dim', `(${by})`)
  if (!reply.approved) return `${paint('red', 'no')} ${who}${reply.reason ? `: ${paint('reset', reply.reason)}` : ''}`
  return `${paint('green', 'yes')} ${who}${'modifiedArgs' in reply ? ', with edited arguments' : ''}`
}
