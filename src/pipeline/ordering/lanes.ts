import { AsyncLocalStorage } from 'node:async_hooks'
import type { CancelHandler, Stop } from '../stopping/stop.ts'

/** How many consecutive calls that only read run at once. */
const TOGETHER = 8

/** The running calls of one session and the calls that wait for them. */
interface Lane {
  readonly session: string
  active: number
  isReading: boolean
  readonly queue: Wait[]
  /** Called when no call is left. */
  emptied: () => void
}

/** A running call, as seen by the calls that its tool makes. */
interface Turn {
  readonly session: string
  /** The running call that made this one. */
  readonly outer: Turn | undefined
  /** Keeps the order of the calls that it makes in the same session. */
  lane: Lane | undefined
  isOver: boolean
}

/** A call that waits for its turn. */
export interface LaneCall {
  readonly session: string
  /** True if it changes nothing, so that consecutive calls like it may run together. */
  readonly isRead: boolean
  readonly stop: Stop
}

/** Runs the foreground calls of each session in the order they came. Consecutive calls that only read run together, up to a limit. A call that a running call makes in its own session is part of that call: it waits only for other calls made there, and later calls of the session wait for all of them. */
export class Lanes {
  /** The lanes that have calls, and the one that was the last to have none: its session mostly makes the next call too (gate 1c). */
  readonly #lanes = new Map<string, Lane>()
  #resting: Lane | undefined
  readonly #turns = new AsyncLocalStorage<Turn>()

  /** Runs the work, which never rejects, when it is its turn. A call that is cancelled while it waits continues at once and then ends as CANCELLED. */
  run<T>(call: LaneCall, work: () => Promise<T>): Promise<T> {
    const { session, isRead, stop } = call
    const outer = findTurn(this.#turns.getStore())
    const lane = this.#laneOf(session, findTurn(outer, session))
    const turn: Turn = { session, outer, lane: undefined, isOver: false }
    if (lane.queue.length === 0 && admits(lane, isRead)) {
      enter(lane, isRead)
      return endTurn(turn, lane, this.#turns.run(turn, work))
    }
    // A promise that resolves to the result, not to another promise: that costs two turns of the queue of microtasks more (gate 1d).
    return new Promise((resolve) => {
      waitForTurn(lane.queue, isRead, stop).then((isTurn) => {
        if (!isTurn) return void work().then(resolve)
        // Counts for the rest of this callback and what it starts. `run` would do the same and cost twice as much (gate 1d).
        this.#turns.enterWith(turn)
        endTurn(turn, lane, work()).then(resolve)
      })
    })
  }

  #laneOf(session: string, inside: Turn | undefined): Lane {
    const there = inside ? inside.lane : this.#lanes.get(session)
    if (there) return there
    const lane: Lane = { session, active: 0, isReading: true, queue: [], emptied: () => undefined }
    if (inside) {
      inside.lane = lane
      return lane
    }
    lane.emptied = () => this.#rest(lane)
    this.#lanes.set(session, lane)
    return lane
  }

  /** Keeps a lane that has no calls, and removes the one that was kept before. */
  #rest(lane: Lane): void {
    const before = this.#resting
    if (before === lane) return
    if (before?.active === 0) this.#lanes.delete(before.session)
    this.#resting = lane
  }
}

/** Returns the innermost running call, of this session or of any. Work that continues after its call has ended is no longer part of that call. */
function findTurn(innermost: Turn | undefined, session?: string): Turn | undefined {
  for (let turn = innermost; turn; turn = turn.outer)
    if (!turn.isOver && (session === undefined || turn.session === session)) return turn
  return undefined
}

/** Ends the turn of a call when its work ends; later calls wait for those that its tool made and left running. */
function endTurn<T>(turn: Turn, lane: Lane, working: Promise<T>): Promise<T> {
  return working.then((result) => {
    turn.isOver = true
    if (turn.lane?.active) turn.lane.emptied = () => leave(lane)
    else leave(lane)
    return result
  })
}

function admits({ active, isReading }: Lane, isRead: boolean): boolean {
  return active === 0 || (isRead && isReading && active < TOGETHER)
}

function enter(lane: Lane, isRead: boolean): void {
  lane.active++
  lane.isReading = isRead
}

/** Starts the waiting calls that may run now. */
function leave(lane: Lane): void {
  lane.active--
  for (let next = lane.queue[0]; next && admits(lane, next.isRead); next = lane.queue[0]) {
    lane.queue.shift()
    enter(lane, next.isRead)
    next.end(true)
  }
  if (lane.active === 0) lane.emptied()
}

/** Resolves to true when it is the call's turn, to false when the call was cancelled before. */
function waitForTurn(queue: Wait[], isRead: boolean, stop: Stop): Promise<boolean> {
  if (stop.isCancelled) return Promise.resolve(false)
  return new Promise((resolve) => queue.push(new Wait(queue, { isRead, stop, resolve })))
}

interface WaitParts {
  readonly isRead: boolean
  readonly stop: Stop
  resolve(isTurn: boolean): void
}

/** A call in the queue of its lane. */
class Wait implements CancelHandler {
  readonly isRead: boolean
  readonly #stop: Stop
  readonly #resolve: (isTurn: boolean) => void
  readonly #queue: Wait[]

  constructor(queue: Wait[], { isRead, stop, resolve }: WaitParts) {
    this.isRead = isRead
    this.#stop = stop
    this.#resolve = resolve
    this.#queue = queue
    stop.onCancel(this)
  }

  cancel(): void {
    this.#queue.splice(this.#queue.indexOf(this), 1)
    this.#stop.abort(new Error('the call was cancelled'))
    this.end(false)
  }

  end(isTurn: boolean): void {
    this.#stop.offCancel(this)
    this.#resolve(isTurn)
  }
}
