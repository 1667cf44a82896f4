import type { Home } from '../../app/home.ts'
import type { Event } from '../../core/session/event.ts'
import type { SessionSummary } from '../../core/session/session-record.ts'
import type { IdProblem } from '../output/find-id.ts'

/** A session in which somebody wrote a message, and the first one. */
export interface Conversation extends SessionSummary {
  readonly first: string
}

/** How many sessions are looked through; those of single calls have no messages. */
const LOOKED_THROUGH = 200
/** The first message comes within so many events. */
const FIRST_EVENTS = 5

/** Returns the conversations of a log, the last used first; those of one workspace if it is given. Sessions of sub-agents and of plans are left out. */
export async function listConversations(
  { log, sessions }: Home,
  limit: number,
  workspace?: string,
): Promise<Conversation[]> {
  const found: Conversation[] = []
  const filter = { limit: LOOKED_THROUGH, ...(workspace !== undefined && { workspace }) }
  for (const record of await sessions(filter)) {
    if (found.length >= limit) break
    if (record.parent !== null) continue
    const first = (await log.read({ session: record.session, limit: FIRST_EVENTS })).find(isUserMessage)
    if (first) found.push({ ...record, first: first.content })
  }
  return found
}

/** Finds the last conversation of a workspace. */
export async function findLastConversation(home: Home, workspace: string): Promise<string | { problem: IdProblem }> {
  const [last] = await listConversations(home, 1, workspace)
  if (last) return last.session
  const text = `There is no session to continue in ${workspace}. List all of them with: haft sessions`
  return { problem: { code: 'FILE_NOT_FOUND', text } }
}

function isUserMessage(event: Event): event is Extract<Event, { type: 'message' }> {
  return event.type === 'message' && event.role === 'user'
}
