import type { Event } from './event.ts'

/** True where the last run of a session has not ended: it is under way, or its process has died. */
export function isCutOff(events: readonly Event[]): boolean {
  const last = events.findLast(({ type }) => type === 'run-start' || type === 'run-end')
  return last?.type === 'run-start'
}

/** True where a session can go on without a new message: its last run has not ended, or it reached the limit of steps. */
export function canGoOn(events: readonly Event[]): boolean {
  const last = events.findLast((event) => event.type === 'run-start' || event.type === 'run-end')
  return last?.type === 'run-start' || (last?.type === 'run-end' && last.reason === 'limit')
}
