import type { DatabaseSync } from 'node:sqlite'
import type { FollowOptions } from '../../../core/ports/log.ts'
import type { CommittedEvent } from '../../../core/session/event.ts'
import { readEvents } from '../read/read-events.ts'
import { reading } from '../read/reading.ts'
import { createRecentEvents, type RecentEvents } from './recent-events.ts'
import type { Wake } from './wake.ts'

/** How many events a follower that is far behind reads at once. */
const PAGE = 512

/** Follows the log of one file. */
export type Follow = (options?: FollowOptions) => AsyncIterableIterator<CommittedEvent, undefined>

/**
 * Creates `follow`. A follower is a cursor. Followers that are up to date share the list of recent events, which is read once for each wake-up;
 * one that is behind reads its own pages until it has caught up. Nothing is queued for a slow follower.
 */
export function createFollow(database: DatabaseSync, wake: Wake): Follow {
  const end = database.prepare('SELECT next FROM counter')
  const shared = createShared(database, wake)

  async function* run({ session, types, signal, unref }: FollowOptions, from: number) {
    if (!database.isOpen) return undefined
    const list = shared.join()
    let position = from
    try {
      while (!signal?.aborted && database.isOpen) {
        if (position < list.from) {
          // Others advance the list while this follower reads its page, so the end of the page is recorded first.
          const reached = list.to
          const page = reading(() =>
            readEvents(database, { after: position, limit: PAGE, ...(session !== undefined && { session }) }),
          )
          for (const event of page) {
            if (signal?.aborted) return undefined
            position = event.cursor
            if (types === undefined || types.includes(event.type)) yield event
          }
          if (page.length < PAGE) position = Math.max(position, reached)
          continue
        }
        const event = list.after(position, session)
        if (event) {
          position = event.cursor
          if (types === undefined || types.includes(event.type)) yield event
        } else {
          position = Math.max(position, list.to)
          await shared.nextWake(signal, unref === true)
        }
      }
    } finally {
      shared.leave()
    }
    return undefined
  }
  return (options = {}) => run(options, options.after ?? (database.isOpen ? Number(end.get()?.next) - 1 : 0))
}

/** The state that the followers of one file share. */
interface Shared {
  /** The list of recent events, kept up to date while there are followers. */
  join(): RecentEvents
  leave(): void
  /** Resolves at the next wake-up or when the signal aborts; rejects when the log cannot be read. */
  nextWake(signal: AbortSignal | undefined, unref: boolean): Promise<void>
}

function createShared(database: DatabaseSync, wake: Wake): Shared {
  let recent: RecentEvents | undefined
  let followers = 0
  let stopListening: (() => void) | undefined
  const waiting = new Set<(problem?: unknown) => void>()
  const wakeAll = (problem?: unknown): void => {
    for (const go of [...waiting]) go(problem)
  }
  const refresh = (): void => {
    try {
      if (database.isOpen && recent && reading(recent.refresh)) setImmediate(refresh)
      wakeAll()
    } catch (thrown) {
      wakeAll(thrown)
    }
  }
  const leave = (): void => {
    if (--followers > 0) return
    stopListening?.()
    stopListening = undefined
    recent = undefined
  }
  const start = (): RecentEvents => {
    // Listen first: what is committed after that is either in the list or causes a wake-up.
    stopListening ??= wake.listen(refresh)
    recent ??= createRecentEvents(database)
    return recent
  }
  return {
    join() {
      followers++
      try {
        return reading(start)
      } catch (thrown) {
        leave()
        throw thrown
      }
    },
    leave,
    nextWake: (signal, unref) =>
      new Promise((resolve, reject) => {
        const release = unref ? undefined : wake.hold()
        const go = (problem?: unknown) => {
          waiting.delete(go)
          release?.()
          signal?.removeEventListener('abort', abort)
          if (problem === undefined) resolve()
          else reject(problem)
        }
        const abort = () => go()
        waiting.add(go)
        signal?.addEventListener('abort', abort, { once: true })
      }),
  }
}
