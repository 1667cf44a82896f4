import type { CallRecord } from '../../../../src/core/call/call-record.ts'
import type { CallState } from '../../session/call-state.ts'

const BY_CODE: Readonly<Record<string, CallState>> = {
  ok: 'done',
  DENIED: 'denied',
  BLOCKED: 'blocked',
  CANCELLED: 'cancelled',
  TIMEOUT: 'timed out',
  INTERRUPTED: 'interrupted',
}

/** The state of a call in one word, as its block in a session shows it. */
export function stateOfRecord({ outcome, decision, ran, task }: CallRecord): CallState {
  if (outcome !== null) return BY_CODE[outcome] ?? 'failed'
  if (task !== null && task !== 'ended') return task
  if (ran) return 'running'
  return decision === 'ask' ? 'waiting' : 'queued'
}

/** What was decided about a call, and by whom, in a few words. */
export function decisionWords({ decision, rule, clearedBy, outcome }: CallRecord): string {
  if (decision === null) return outcome === null ? '' : 'not judged'
  if (decision === 'deny') return `blocked: ${rule}`
  if (decision === 'allow') return `allowed: ${rule}`
  if (clearedBy !== null) return `asked, ${clearedBy}`
  return outcome === 'DENIED' ? 'asked, denied' : 'asked'
}

/** The main argument of a call, from its arguments as JSON text that may be cut. */
export function mainText(text: string): string {
  const main = /"(?:command|path|from|pattern|query|url|code|task|question|summary|id|name)":"((?:[^"\\]|\\.)*)/.exec(
    text,
  )
  if (main?.[1] === undefined) return text === '{}' ? '' : text
  try {
    return String(JSON.parse(`"${main[1]}"`))
  } catch {
    return main[1]
  }
}

/** The time of day, with the date where it is not today. */
export function shownTime(at: number): string {
  const date = new Date(at)
  const time = date.toLocaleTimeString('en-GB')
  if (!isOld({ at })) return time
  return `${date.toLocaleDateString('en-GB', { day: '2-digit', month: 'short' })} ${time}`
}

/** True for what did not happen today. */
export function isOld({ at }: { readonly at: number }): boolean {
  return new Date(at).toDateString() !== new Date().toDateString()
}
