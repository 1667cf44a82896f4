import type { Log } from '../../core/ports/log.ts'
import type { Event } from '../../core/session/event.ts'

/** Returns the events of all calls under way, of each session in order. Each session is read once, from where its first such call began. */
export async function readOpenCalls(log: Pick<Log, 'calls' | 'read'>): Promise<readonly Event[]> {
  const open = await log.calls({ isOpen: true, limit: Number.MAX_SAFE_INTEGER })
  const sessions = new Map<string, number>()
  for (const { session, cursor = 1 } of open)
    sessions.set(session, Math.min(cursor - 1, sessions.get(session) ?? Number.POSITIVE_INFINITY))
  const underWay = new Set(open.map(({ call }) => call))
  const found: Event[] = []
  for (const [session, after] of sessions)
    for (const event of await log.read({ session, after }))
      if ('call' in event && event.call !== undefined && underWay.has(event.call)) found.push(event)
  return found
}
