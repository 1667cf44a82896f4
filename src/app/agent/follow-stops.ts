import type { Log } from '../../core/ports/log.ts'

interface FollowParts {
  readonly session: string
  readonly log: Pick<Log, 'follow'>
  /** The cursor of the message that the run answers. */
  readonly after: number
  /** Aborts when the run is over. */
  readonly over: AbortSignal
}

/** Aborts the run when somebody asks for it, in whatever process. Never rejects. */
export async function followStops({ session, log, after, over }: FollowParts, stop: AbortController): Promise<void> {
  try {
    for await (const event of log.follow({ session, after, signal: over, unref: true }))
      if (event.type === 'run-stop') stop.abort()
  } catch {
    // A log that cannot be read tells of no stop; the run's own signal still works.
  }
}
