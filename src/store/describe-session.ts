import type { SessionFilter } from '../core/ports/log.ts'
import type { Event } from '../core/session/event.ts'
import type { OpenSession, SessionRecord } from '../core/session/session-record.ts'

/** Updates the record of a session from an event. Workspace and parent stay those of the first event; the rest is the latest. A session that names no model has that of its first run. */
export function describeSession(record: OpenSession, event: Event): void {
  record.lastAt = event.at
  switch (event.type) {
    case 'call-start':
      record.calls++
      break
    case 'session-start':
      record.workspace ??= event.workspace
      record.parent ??= event.parent ?? null
      record.model = event.model ?? record.model
      record.mode = event.mode
      break
    case 'session-changed':
      record.model = event.model ?? record.model
      record.mode = event.mode ?? record.mode
      record.title = event.title ?? record.title
      break
    case 'run-start':
      record.model ??= event.model
      record.ended = null
      break
    case 'run-end':
      record.ended = event.reason
      break
  }
}

/** True for a session that matches the filter; ignores `limit`. */
export function matchesSession(
  record: SessionRecord,
  { session, prefix = '', workspace, parent }: SessionFilter,
): boolean {
  return (
    (session === undefined || record.session === session) &&
    record.session.startsWith(prefix) &&
    (workspace === undefined || record.workspace === workspace) &&
    (parent === undefined || record.parent === parent)
  )
}
