import type { Store } from '../core/store.ts'
import type { BackgroundCalls } from './background-calls.ts'

/** How often the log is looked at for wishes of other processes, in milliseconds. */
const LOOK = 250

/** Makes the ear for wishes of other processes that a task ends: it listens while there are tasks. */
export function hearCancels(store: Pick<Store, 'tail'>): (background: BackgroundCalls) => void {
  let timer: NodeJS.Timeout | undefined
  let cursor = -1
  const look = (background: BackgroundCalls) => {
    if (!background.isBusy) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const tail = store.tail(cursor)
    cursor = tail.cursor
    for (const event of tail.events) if (event.type === 'task-cancel') background.cancel(event.call)
  }
  return (background) => {
    if (timer !== undefined) return
    cursor = store.tail(-1).cursor
    timer = setInterval(look, LOOK, background).unref()
  }
}
