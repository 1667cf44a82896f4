import type { Event } from './event.ts'

/** True where the last run of a session has not ended: it is under way, or its process has died. */
export function isCutOff(events: readonly Event[]): boolean {
  const last = events.findLast(({ type }) => type === 'run-start' || type === 'run-end')
  return last?.type === 'run-start'
}
