import { AsyncLocalStorage } from 'node:async_hooks'
import type { CancelHandler, Stop, TurnEnd } from '../stopping/stop.ts'

/** The running calls of one session and the calls that wait for them. */
interface Lane {
  readonly session: string
  active: number
  isShared: boolean
  readonly queue: Wait[]
  /** Called when no call is left. */
  emptied: () => void
}

/** Who starts several calls together. */
interface Starter {
  readonly outer: Turn | undefined
}

/** A call that waits for its turn. */
export interface LaneCall {
  readonly session: string
  /** How many consecutive calls may run at once with it among them; 1 for a call that may change something. */
  readonly together: number
  readonly stop: Stop
}

/** Runs the foreground calls of each session in the order they came. Consecutive calls that change nothing run together, up to a limit. A call that a running call makes in its own session is part of that call: it waits only for other calls made there, and later calls of the session wait for all of them. */
export class Lanes {
  /** The lanes that have calls, and the one that was the last to have none: its session mostly makes the next call too (gate 1c). */
  readonly #lanes = new Map<string, Lane>()
  #resting: Lane | undefined
  readonly #turns = new AsyncLocalStorage<Turn | undefined>()
  /** The call that makes the calls which are started together now. */
  #starter: Starter | undefined

  /** Runs a function that starts several calls and waits for none of them. The caller's context is restored once for all of them, since that costs a twentieth of a call (gate 1d). */
  startTogether<T>(start: () => T): T {
    const outer = this.#turns.getStore()
    this.#starter = { outer }
    try {
      return start()
    } finally {
      this.#starter = undefined
      this.#turns.enterWith(outer)
    }
  }

  /** Runs the work, which never rejects and ends the call's `stop`, when it is its turn. A call that is cancelled while it waits continues at once and then ends as CANCELLED. */
  run<T>(call: LaneCall, work: () => Promise<T>): Promise<T> {
    const { session, together, stop } = call
    const starter = this.#starter
    const outer = findTurn(starter ? starter.outer : this.#turns.getStore())
    const lane = this.#laneOf(session, findTurn(outer, session))
    const turn = new Turn(session, outer, lane)
    if (lane.queue.length === 0 && admits(lane, together)) {
      enter(lane, together)
      stop.setTurn(turn)
      return starter ? this.#runAmong(starter, turn, work) : this.#turns.run(turn, work)
    }
    // A promise that resolves to the result, not to another promise: that costs two turns of the queue of microtasks more (gate 1d).
    return new Promise((resolve) => {
      waitForTurn(lane.queue, together, stop).then((isTurn) => {
        if (isTurn) {
          stop.setTurn(turn)
          // Counts for the rest of this callback and what it starts. `run` would do the same and cost twice as much (gate 1d).
          this.#turns.enterWith(turn)
        }
        work().then(resolve)
      })
    })
  }

  /** Runs a call that is started with others. Calls that its tool makes at once are its own. */
  #runAmong<T>(starter: Starter, turn: Turn, work: () => Promise<T>): Promise<T> {
    this.#starter = undefined
    this.#turns.enterWith(turn)
    const running = work()
    this.#starter = starter
    return running
  }

  #laneOf(session: string, inside: Turn | undefined): Lane {
    const there = inside ? inside.lane : this.#lanes.get(session)
    if (there) return there
    const lane: Lane = { session, active: 0, isShared: true, queue: [], emptied: () => undefined }
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

/** A running call, as seen by the calls that its tool makes. */
class Turn implements TurnEnd {
  readonly session: string
  /** The running call that made this one. */
  readonly outer: Turn | undefined
  /** Keeps the order of the calls that it makes in the same session. */
  lane: Lane | undefined
  isOver = false
  readonly #own: Lane

  constructor(session: string, outer: Turn | undefined, own: Lane) {
    this.session = session
    this.outer = outer
    this.lane = undefined
    this.#own = own
  }

  /** Later calls wait also for those that its tool made and left running. */
  end(): void {
    this.isOver = true
    if (this.lane?.active) this.lane.emptied = () => leave(this.#own)
    else leave(this.#own)
  }
}

function admits({ active, isShared }: Lane, together: number): boolean {
  return active === 0 || (isShared && active < together)
}

function enter(lane: Lane, together: number): void {
  lane.active++
  lane.isShared = together > 1
}

/** Starts the waiting calls that may run now. */
function leave(lane: Lane): void {
  lane.active--
  for (let next = lane.queue[0]; next && admits(lane, next.together); next = lane.queue[0]) {
    lane.queue.shift()
    enter(lane, next.together)
    next.end(true)
  }
  if (lane.active === 0) lane.emptied()
}

/** Resolves to true when it is the call's turn, to false when the call was cancelled before. */
function waitForTurn(queue: Wait[], together: number, stop: Stop): Promise<boolean> {
  if (stop.isCancelled) return Promise.resolve(false)
  return new Promise((resolve) => queue.push(new Wait(queue, { together, stop, resolve })))
}

interface WaitParts {
  readonly together: number
  readonly stop: Stop
  resolve(isTurn: boolean): void
}

/** A call in the queue of its lane. */
class Wait implements CancelHandler {
  readonly together: number
  readonly #stop: Stop
  readonly #resolve: (isTurn: boolean) => void
  readonly #queue: Wait[]

  constructor(queue: Wait[], { together, stop, resolve }: WaitParts) {
    this.together = together
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
