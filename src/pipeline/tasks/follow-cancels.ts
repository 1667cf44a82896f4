import type { Log } from '../../core/ports/log.ts'
import type { BackgroundCalls } from './background-calls.ts'

/** Cancels tasks of this process when another process requests it. Follows the log only while there are tasks. */
export function followCancels(log: Log): (background: BackgroundCalls) => void {
  let isFollowing = false
  const follow = async (background: BackgroundCalls): Promise<void> => {
    const stop = new AbortController()
    background.idle().then(() => stop.abort())
    for await (const event of log.follow({ signal: stop.signal, unref: true }))
      if (event.type === 'task-cancel') background.cancel(event.call)
  }
  const start = (background: BackgroundCalls): void => {
    if (isFollowing) return
    isFollowing = true
    follow(background)
      .catch(() => undefined)
      .finally(() => {
        isFollowing = false
        if (background.isBusy) start(background)
      })
  }
  return start
}
