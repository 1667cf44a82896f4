import type { Stop } from './stop.ts'

/** How many neighbouring calls that only read run at once. */
const TOGETHER = 8

interface Waiting {
  readonly isRead: boolean
  go(): void
}

/** One session's calls under way and those that wait behind them. */
interface Lane {
  active: number
  isReading: boolean
  readonly queue: Waiting[]
}

/** A call that wants its turn. */
export interface LaneCall {
  readonly session: string
  /** True where it changes nothing, so that neighbours like it may run at the same time. */
  readonly isRead: boolean
  readonly stop: Stop
}

/** Keeps the foreground calls of each session in the order they came: neighbours that only read run together, bounded. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()

  /** Runs the work when it is its turn; a call that is cancelled while it waits goes on at once, to be told so. */
  async run<T>({ session, isRead, stop }: LaneCall, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(session) ?? { active: 0, isReading: true, queue: [] }
    this.#lanes.set(session, lane)
    const isIn = lane.queue.length === 0 && admits(lane, isRead)
    if (isIn) enter(lane, isRead)
    else if (!(await waitForTurn(lane, isRead, stop))) return work()
    try {
      return await work()
    } finally {
      lane.active--
      for (let next = lane.queue[0]; next && admits(lane, next.isRead); next = lane.queue[0]) {
        lane.queue.shift()
        enter(lane, next.isRead)
        next.go()
      }
      if (lane.active === 0) this.#lanes.delete(session)
    }
  }
}

function admits({ active, isReading }: Lane, isRead: boolean): boolean {
  return active === 0 || (isRead && isReading && active < TOGETHER)
}

function enter(lane: Lane, isRead: boolean): void {
  lane.active++
  lane.isReading = isRead
}

/** Resolves to true when whoever left has let it in, to false when it was cancelled before. */
function waitForTurn({ queue }: Lane, isRead: boolean, stop: Stop): Promise<boolean> {
  if (stop.wished) return Promise.resolve(false)
  return new Promise((resolve) => {
    const done = (isTurn: boolean) => {
      stop.hear(undefined)
      resolve(isTurn)
    }
    const waiting: Waiting = { isRead, go: () => done(true) }
    queue.push(waiting)
    stop.hear(() => {
      queue.splice(queue.indexOf(waiting), 1)
      stop.abort(new Error('the call was cancelled'))
      done(false)
    })
  })
}
