import type { Limit } from './deadlines.ts'
import type { Linked } from './linked-set.ts'
import { followSignal } from './signal-followers.ts'

/** Keeps track of the running calls. */
export interface StopKeeper {
  leave(stop: Stop): void
}

/** What handles a cancel request. An object, so that what waits for a call needs no function of its own (gate 1b). */
export interface CancelHandler {
  cancel(): void
}

/** The place of a call in the order of its session. */
export interface TurnEnd {
  end(): void
}

/** Stops one call, on request of its caller or by its time limit. The signal is created only when it is first used. */
export class Stop implements Linked<Stop> {
  /** True once the caller has cancelled the call. */
  isCancelled = false
  /** True once the caller has the result. */
  isOver = false
  /** The id of the call that it stops. */
  readonly call: string
  isLinked = false
  before: Stop | undefined = undefined
  after: Stop | undefined = undefined
  /** Handlers of cancel requests. There is mostly one, so no list is created for it (gate 1b). */
  #handler: CancelHandler | undefined
  #others: CancelHandler[] | undefined
  #limit: Limit | undefined
  #mover: (() => void) | undefined
  #controller: AbortController | undefined
  #reason: Error | undefined
  #keeper: StopKeeper | undefined
  #turn: TurnEnd | undefined
  #followed: { release(): void } | undefined

  constructor(call = '') {
    this.call = call
  }

  /** The signal for the tool, and for waiting for an approval. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Cancels the call: calls each handler, or aborts the signal if there is none. */
  cancel(): void {
    if (this.isCancelled) return
    this.isCancelled = true
    const handlers = [this.#handler, ...(this.#others ?? [])].filter((handler) => handler !== undefined)
    for (const handler of handlers) handler.cancel()
    if (handlers.length === 0) this.abort(new Error('the call was cancelled'))
  }

  /** Cancels when the caller's signal aborts, until `end`. */
  follow(signal: AbortSignal): void {
    this.#followed = followSignal(signal, this)
  }

  /** Registers the call as running with this keeper, until `end`. */
  stayWith(keeper: StopKeeper): void {
    this.#keeper = keeper
  }

  /** Sets the turn that ends with the call. */
  setTurn(turn: TurnEnd): void {
    this.#turn = turn
  }

  /** To be called when the caller has the result. After that, neither its signal nor the keeper can cancel. May be called twice. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.#keeper?.leave(this)
    this.#followed?.release()
    this.#turn?.end()
  }

  /** Calls the handler when the call is cancelled, instead of aborting the signal, until `offCancel`. Handlers are independent of each other. */
  onCancel(handler: CancelHandler): void {
    if (this.#handler === undefined) this.#handler = handler
    else if (this.#others === undefined) this.#others = [handler]
    else this.#others.push(handler)
  }

  /** Removes a handler, if it is registered. */
  offCancel(handler: CancelHandler): void {
    if (this.#handler === handler) this.#handler = undefined
    else if (this.#others) this.#others = this.#others.filter((other) => other !== handler)
  }

  /** Sets the time limit that `hold` pauses, or undefined when it has ended. */
  setLimit(limit: Limit | undefined): void {
    this.#limit = limit
  }

  /** Sets what lets the call go on in the background, while its tool runs. */
  setMover(mover: (() => void) | undefined): void {
    this.#mover = mover
  }

  /** True while `moveToBackground` would move the call. */
  get isMovable(): boolean {
    return this.#mover !== undefined && !this.isCancelled
  }

  /** Lets the call go on in the background. Does nothing for a call that cannot be moved, or not now. */
  moveToBackground(): void {
    const mover = this.isMovable ? this.#mover : undefined
    this.#mover = undefined
    mover?.()
  }

  /** Waits for something that is not the tool's work. The time limit is paused meanwhile. */
  async hold<T>(waiting: Promise<T>): Promise<T> {
    const limit = this.#limit
    limit?.hold()
    try {
      return await waiting
    } finally {
      limit?.goOn()
    }
  }

  /** Aborts the signal, also if it is first used later. */
  abort(reason: Error): void {
    this.#reason ??= reason
    this.#controller?.abort(reason)
  }
}
