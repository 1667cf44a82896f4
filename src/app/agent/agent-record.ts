import { makeTitle } from '../../agent/session-title.ts'
import type { AgentRecord } from '../../core/agents/agents.ts'
import type { Event } from '../../core/session/event.ts'
import type { SessionRecord } from '../../core/session/session-record.ts'

/** Describes an agent from the events of its session. `isHeld` says whether a living process runs it. */
export function recordOfAgent(session: SessionRecord, events: readonly Event[], isHeld: boolean): AgentRecord {
  const end = events.findLast((event) => event.type === 'run-end')
  const isStarted = events.some((event) => event.type === 'run-start')
  const task = events.find((event) => event.type === 'message' && event.role === 'user')
  const title = session.title ?? (task?.type === 'message' ? makeTitle(task.content) : '')
  const known = { agent: session.session, title, startedAt: session.startedAt }
  if (end && !isHeld) {
    const { reason, steps, summary } = end
    return { ...known, state: 'ended', reason, steps, ...(summary !== undefined && { summary }) }
  }
  const steps = events.filter((event) => event.type === 'model-call').length
  if (isHeld || !isStarted) return { ...known, state: isStarted ? 'running' : 'queued', steps }
  return { ...known, state: 'ended', reason: 'interrupted', steps }
}
