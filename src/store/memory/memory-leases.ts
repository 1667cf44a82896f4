import type { Leases } from '../../core/ports/leases.ts'
import type { MemoryLog } from './memory-log.ts'

/** Creates the leases of one process. Every holder is alive. */
export function createMemoryLeases(
  log: Pick<MemoryLog, 'append' | 'calls' | 'sessions'>,
  remove: (sessions: ReadonlySet<string>) => void,
): Leases {
  /** The sessions that run, and the cursor of the last message to each. */
  const held = new Map<string, number>()
  /** Returns a session and all its descendants; empty when there is no such session. */
  const familyOf = async (session: string): Promise<Set<string>> => {
    const family = new Set((await log.sessions({ session })).map((record) => record.session))
    for (const parent of family)
      for (const child of await log.sessions({ parent, limit: Number.MAX_SAFE_INTEGER })) family.add(child.session)
    return family
  }
  return {
    async claim(session, message) {
      const event = log.append({ type: 'message', session, ...message })
      const { cursor } = event
      const isHolder = !held.has(session)
      held.set(session, cursor)
      return { isHolder, event, cursor }
    },
    async takeOver(session, isFree = false) {
      if (!isFree || held.has(session)) return false
      held.set(session, 0)
      return true
    },
    async end(session, seen) {
      return (held.get(session) ?? 0) <= seen && held.delete(session)
    },
    holders: async (sessions) =>
      new Map(sessions.filter((session) => held.has(session)).map((session) => [session, 'alive'])),
    isHeld: async (session) => held.has(session),
    async delete(session) {
      const family = await familyOf(session)
      const calls = await log.calls({ limit: Number.MAX_SAFE_INTEGER })
      const isRunning = calls.some((call) => family.has(call.session) && call.outcome === null)
      if (isRunning || [...family].some((one) => held.has(one))) return false
      remove(family)
      for (const one of family) log.append({ type: 'session-delete', session: one })
      return true
    },
  }
}
