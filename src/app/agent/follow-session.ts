import type { Log } from '../../core/ports/log.ts'
import type { SessionChange } from '../../core/session/session-record.ts'

/** What a run does about what others ask of its session. */
export interface SessionListener {
  stop(): void
  change(change: SessionChange): void
}

interface FollowParts {
  readonly session: string
  readonly log: Pick<Log, 'follow'>
  /** The cursor of the message that the run answers. */
  readonly after: number
  /** Aborts when the run is over. */
  readonly over: AbortSignal
}

/** Listens for stops of a run and for changes of its session, from whatever process, until the run is over. Never rejects. */
export async function followSession(parts: FollowParts, listener: SessionListener): Promise<void> {
  const { session, log, after, over } = parts
  try {
    for await (const event of log.follow({ session, after, signal: over, unref: true })) {
      if (event.type === 'run-stop') listener.stop()
      else if (event.type === 'session-changed') listener.change(event)
    }
  } catch {
    // A log that cannot be read tells of no stop; the run's own signal still works.
  }
}
