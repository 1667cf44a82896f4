import type { CallRecord } from '../core/call-record.ts'
import { printableLine } from '../core/printable.ts'
import type { SessionRecord } from '../core/store.ts'
import { paint } from './face.ts'
import { showDuration, showMoment } from './since.ts'

/** A session in one line. */
export function sessionLine({ session, startedAt, lastAt, calls }: SessionRecord, now: number): string {
  const when =
    startedAt === lastAt ? showMoment(lastAt, now) : `${showMoment(startedAt, now)} – ${showMoment(lastAt, now)}`
  return `${paint('bold', session)}  ${paint('dim', when)}  ${paint('reset', `${calls} ${calls === 1 ? 'call' : 'calls'}`)}`
}

const DECISIONS = { allow: 'green', ask: 'yellow', deny: 'red' } as const

/** A call in one line: id, time, tool, outcome, duration, decision and rule, arguments in short. */
export function callLine(record: CallRecord, now: number): string {
  const { call, at, tool, decision, rule } = record
  const judged = decision
    ? `${paint(DECISIONS[decision], decision)} ${paint('dim', `(${printableLine(rule ?? '')})`)}`
    : paint('dim', 'not judged')
  return [
    paint('dim', showMoment(at, now)),
    paint('bold', printableLine(tool)),
    outcomeOf(record),
    judged,
    paint('reset', shorten(printableLine(record.arguments))),
    paint('dim', call),
  ].join('  ')
}

/** How a call ended and how long it took, or how far it is. */
export function outcomeOf({ outcome, duration, ran }: CallRecord): string {
  if (outcome === null) return paint('yellow', ran ? 'running' : 'open')
  const took = duration === null ? '' : ` ${paint('dim', showDuration(duration))}`
  return `${outcome === 'ok' ? paint('green', 'ok') : paint('red', outcome)}${took}`
}

function shorten(text: string): string {
  const room = Math.max(40, (process.stdout.columns ?? 160) - 90)
  return text.length > room ? `${text.slice(0, room - 1)}…` : text
}
