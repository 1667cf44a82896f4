import type { CallRecord } from '../core/call-record.ts'
import { printableLine } from '../core/printable.ts'
import type { SessionRecord } from '../core/store.ts'
import { columnsOf, paint } from './face.ts'
import { showDuration, showMoment } from './since.ts'
import { type Cell, tableLines } from './table.ts'
import { cutToWidth } from './text-width.ts'

/** Sessions, one a line. */
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

const DECISIONS = { allow: 'green', ask: 'yellow', deny: 'red' } as const

/** In fewer columns the list does not say who allowed a call. */
const WIDE_ENOUGH = 60

/** Calls: time, tool, outcome, duration, decision and rule, who allowed it, id, arguments in short. */
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

/** The longest name that the list shows whole; the story of a call always does. */
const LONGEST_NAME = 16

/** Who allowed a call, in a word: which rule or grant it was stands beside it. */
function shortName(clearedBy: string): string {
  const [, kind] = /^(rule|grant|default|tool|person)\b/.exec(clearedBy) ?? []
  return kind ?? cutToWidth(printableLine(clearedBy), LONGEST_NAME)
}

/** How a call ended, or how far it is. */
function outcomeOf({ outcome, ran }: CallRecord): Cell {
  if (outcome === null) return { style: 'yellow', text: ran ? 'running' : 'open' }
  return { style: outcome === 'ok' ? 'green' : 'red', text: outcome }
}

/** The same with how long it took, for a line of its own. */
export function showOutcome(record: CallRecord): string {
  const { style, text } = outcomeOf(record)
  return `${paint(style, text)}${record.duration === null ? '' : ` ${paint('dim', showDuration(record.duration))}`}`
}
