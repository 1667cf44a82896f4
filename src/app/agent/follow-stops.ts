import type { Log } from '../../core/ports/log.ts'
import type { Model } from '../../core/ports/model.ts'
import type { CommittedEvent } from '../../core/session/event.ts'

/** A run under way in this process: its model, and how to stop it. */
export interface ActiveRun {
  readonly model: Model
  readonly stop: AbortController
  /** The cursor of the message that it answers. */
  readonly after: number
}

/** A request about one call that runs in the foreground. */
export type CallOrder = Extract<CommittedEvent, { type: 'call-cancel' | 'call-background' }>

/** Stops the runs of a host, or single calls of them, when somebody asks for it, in whatever process. */
export interface StopFollower {
  /** Begins to follow, if it does not yet; to be called before a run claims its session. */
  begin(): void
  close(): void
}

/** Creates the follower of a host. One serves all runs, and it stays between them: starting one for each run cost more than a step of the loop (gate 1c). */
export function createStopFollower(
  log: Pick<Log, 'follow'>,
  running: ReadonlyMap<string, Pick<ActiveRun, 'stop' | 'after'>>,
  onCall: (order: CallOrder) => void,
): StopFollower {
  const over = new AbortController()
  let isFollowing = false
  const follow = async (): Promise<void> => {
    const types = ['run-stop', 'call-cancel', 'call-background'] as const
    for await (const event of log.follow({ types, signal: over.signal, unref: true })) {
      if (event.type === 'call-cancel' || event.type === 'call-background') onCall(event)
      const run = running.get(event.session)
      if (run && event.type === 'run-stop' && event.cursor > run.after) run.stop.abort()
    }
  }
  return {
    begin() {
      if (isFollowing) return
      isFollowing = true
      // A log that cannot be read tells of no stop; the run's own signal still works, and the next run tries again.
      follow()
        .catch(() => undefined)
        .finally(() => {
          isFollowing = false
        })
    },
    close: () => over.abort(),
  }
}
