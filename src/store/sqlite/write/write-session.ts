import type { DatabaseSync } from 'node:sqlite'
import type { Event } from '../../../core/session/event.ts'
import type { Waiting } from './pending.ts'

/** Returns a function that updates a session's row from written events, inside the same transaction. */
export function sessionWriter(database: DatabaseSync): (session: string, waiting: readonly Waiting[]) => void {
  const use = database.prepare(`INSERT INTO sessions (session, started_at, last_at, calls) VALUES (?, ?, ?, ?)
    ON CONFLICT (session) DO UPDATE SET last_at = max(last_at, excluded.last_at), calls = calls + excluded.calls, deleted_at = NULL`)
  const describe = createDescriber(database)
  return (session, waiting) => {
    let calls = 0
    const changes: Event[] = []
    for (const { event } of waiting) {
      if (event.type === 'call-start') calls++
      else if (DESCRIBING.has(event.type)) changes.push(event)
    }
    use.run(session, waiting[0]?.event.at ?? 0, waiting.at(-1)?.event.at ?? 0, calls)
    for (const event of changes) describe(event)
  }
}

/** The events that say something of their session. */
const DESCRIBING: ReadonlySet<Event['type']> = new Set(['session-start', 'session-changed', 'run-start', 'run-end'])

/** Workspace and parent stay those of the first event; the rest is the latest. A session that names no model has that of its first run. */
function createDescriber(database: DatabaseSync): (event: Event) => void {
  const start = database.prepare(`UPDATE sessions SET workspace = coalesce(workspace, ?), parent = coalesce(parent, ?),
    model = coalesce(?, model), mode = coalesce(?, mode) WHERE session = ?`)
  const change = database.prepare(`UPDATE sessions SET title = coalesce(?, title), model = coalesce(?, model),
    mode = coalesce(?, mode) WHERE session = ?`)
  const run = database.prepare('UPDATE sessions SET model = coalesce(model, ?), ended = NULL WHERE session = ?')
  const end = database.prepare('UPDATE sessions SET ended = ? WHERE session = ?')
  return (event) => {
    if (event.type === 'run-start') run.run(event.model, event.session)
    if (event.type === 'run-end') end.run(event.reason, event.session)
    if (event.type === 'session-start')
      start.run(event.workspace, event.parent ?? null, event.model ?? null, event.mode, event.session)
    if (event.type === 'session-changed')
      change.run(event.title ?? null, event.model ?? null, event.mode ?? null, event.session)
  }
}
