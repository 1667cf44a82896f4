import type { Home } from '../../app/home.ts'
import type { Session } from '../../app/sessions/session.ts'
import type { Event } from '../../core/session/event.ts'

/** Passes on the events of one session and those below it. */
export interface SessionEvents {
  /** Names the session that is gone on with; a new one names itself. */
  begin(session: Session): Promise<void>
  /** Passes on what is still to come, and stops. */
  stop(): Promise<void>
}

/** Passes on the events of the session that this process begins or goes on with, at once. Where another process runs it, they are read from the log. */
export function followSession(home: Home, take: (event: Event) => void): SessionEvents {
  const sessions = new Set<string>()
  const seen = new Set<string>()
  const stopped = new AbortController()
  let isRunner = false
  let session: Session | undefined
  let after = 0
  let reading: Promise<void> | undefined
  const give = (event: Event) => {
    if (seen.has(event.id)) return
    seen.add(event.id)
    take(event)
  }
  /** Reads what another process logs. Ends with the run, since nothing more is shown then. */
  const readLog = async (joined: Session): Promise<void> => {
    for await (const { cursor: _, ...event } of joined.follow({ after, signal: stopped.signal })) {
      give(event as Event)
      if (event.type === 'run-end') return
    }
  }
  const unfollow = home.on((event) => {
    if (event.type === 'session-start' && !(event.parent && !sessions.has(event.parent))) sessions.add(event.session)
    if (!sessions.has(event.session)) return
    give(event)
    if (event.type === 'run-start') isRunner = true
    // The process that gets the lease starts its run in the same turn of the event loop as the message.
    if (event.type === 'message' && event.role === 'user')
      setImmediate(() => {
        if (!isRunner && session) reading ??= readLog(session)
      })
  })
  return {
    async begin(begun) {
      session = begun
      sessions.add(begun.id)
      after = await home.log.end()
    },
    async stop() {
      unfollow()
      // A run of another process has ended when its `send` resolved: its last events are in the log.
      if (reading && !stopped.signal.aborted) await Promise.race([reading, abortSoon(stopped)])
      stopped.abort()
      await reading?.catch(() => undefined)
    },
  }
}

/** Gives a reader that is behind a second to see the end. */
function abortSoon(controller: AbortController): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      controller.abort()
      resolve()
    }, 1_000).unref()
  })
}
