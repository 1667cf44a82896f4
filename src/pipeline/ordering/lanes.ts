import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stop } from '../stopping/stop.ts'

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
  /** Called when nobody is in it any more. */
  emptied: () => void
}

/** A call under way, as the calls that its tool makes find it. */
interface Turn {
  readonly session: string
  /** The call under way that this one was made in. */
  readonly outer: Turn | undefined
  /** Where calls of the same session that are made in it keep their order. */
  lane: Lane | undefined
  isOver: boolean
}

/** A call that wants its turn. */
export interface LaneCall {
  readonly session: string
  /** True where it changes nothing, so that neighbours like it may run at the same time. */
  readonly isRead: boolean
  readonly stop: Stop
}

/** Keeps the foreground calls of each session in the order they came: neighbours that only read run together, bounded. A call that a running one makes in its own session is part of it: it waits only for others that it made, and whoever is behind waits for all of them. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #turns = new AsyncLocalStorage<Turn>()

  /** Runs the work when it is its turn; a call that is cancelled while it waits goes on at once, to be told so. */
  async run<T>({ session, isRead, stop }: LaneCall, work: () => Promise<T>): Promise<T> {
    const outer = findTurn(this.#turns.getStore())
    const lane = this.#laneOf(session, findTurn(outer, session))
    const isIn = lane.queue.length === 0 && admits(lane, isRead)
    if (isIn) enter(lane, isRead)
    else if (!(await waitForTurn(lane, isRead, stop))) return work()
    const turn: Turn = { session, outer, lane: undefined, isOver: false }
    try {
      return await this.#turns.run(turn, work)
    } finally {
      turn.isOver = true
      if (turn.lane?.active) turn.lane.emptied = () => leave(lane)
      else leave(lane)
    }
  }

  #laneOf(session: string, inside: Turn | undefined): Lane {
    const there = inside ? inside.lane : this.#lanes.get(session)
    if (there) return there
    const lane: Lane = { active: 0, isReading: true, queue: [], emptied: () => undefined }
    if (inside) {
      inside.lane = lane
      return lane
    }
    lane.emptied = () => this.#lanes.delete(session)
    this.#lanes.set(session, lane)
    return lane
  }
}

/** The innermost call, of this session or of any, that is still under way: work that a call left behind is part of it no more. */
function findTurn(innermost: Turn | undefined, session?: string): Turn | undefined {
  for (let turn = innermost; turn; turn = turn.outer)
    if (!turn.isOver && (session === undefined || turn.session === session)) return turn
  return undefined
}

function admits({ active, isReading }: Lane, isRead: boolean): boolean {
  return active === 0 || (isRead && isReading && active < TOGETHER)
}

function enter(lane: Lane, isRead: boolean): void {
  lane.active++
  lane.isReading = isRead
}

/** Lets in those who may go now. */
function leave(lane: Lane): void {
  lane.active--
  for (let next = lane.queue[0]; next && admits(lane, next.isRead); next = lane.queue[0]) {
    lane.queue.shift()
    enter(lane, next.isRead)
    next.go()
  }
  if (lane.active === 0) lane.emptied()
}

/** Resolves to true when whoever left has let it in, to false when it was cancelled before. */
function waitForTurn({ queue }: Lane, isRead: boolean, stop: Stop): Promise<boolean> {
  if (stop.isCancelled) return Promise.resolve(false)
  return new Promise((resolve) => {
    const done = (isTurn: boolean) => {
      stop.offCancel(leave)
      resolve(isTurn)
    }
    const leave = () => {
      queue.splice(queue.indexOf(waiting), 1)
      stop.abort(new Error('the call was cancelled'))
      done(false)
    }
    const waiting: Waiting = { isRead, go: () => done(true) }
    queue.push(waiting)
    stop.onCancel(leave)
  })
}
