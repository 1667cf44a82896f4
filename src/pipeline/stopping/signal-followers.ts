/** What a signal can cancel. */
export interface Cancellable {
  cancel(): void
  /** True once the signal no longer counts for it. */
  readonly isOver: boolean
}

/** Those that one signal cancels. Adding and ending one makes no object: a run gives all its calls one signal (gates 1c and 1d). */
class Followers {
  readonly #signal: AbortSignal
  /** Also those that are over, until there are more of them than others. */
  #all: Cancellable[] = []
  #active = 0
  readonly #cancel = () => {
    followed.delete(this.#signal)
    const all = this.#all
    this.#all = []
    for (const follower of all) if (!follower.isOver) follower.cancel()
  }

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', this.#cancel, { once: true })
  }

  add(follower: Cancellable): void {
    if (this.#all.length > 2 * this.#active + SPARE) this.#all = this.#all.filter(({ isOver }) => !isOver)
    this.#all.push(follower)
    this.#active++
  }

  /** Counts one that is over. Without any left, the signal is let go when the next one is followed, since that is mostly the same. */
  release(): void {
    if (--this.#active > 0) return
    this.#all.length = 0
    if (idle !== undefined && idle !== this) idle.#end()
    idle = this
  }

  #end(): void {
    if (this.#active > 0) return
    followed.delete(this.#signal)
    this.#signal.removeEventListener('abort', this.#cancel)
  }
}

const SPARE = 64

/** The signals that somebody follows, and at most one that was followed last. Each has one listener. A WeakMap that is never emptied cost as much as a listener at each run (gate 1c). */
const followed = new Map<AbortSignal, Followers>()
/** The followers that were the last to become empty. */
let idle: Followers | undefined

/** Cancels when the signal aborts, or at once if it has. Returns what must be released once the follower is over. */
export function followSignal(signal: AbortSignal, follower: Cancellable): Pick<Followers, 'release'> | undefined {
  if (signal.aborted) {
    follower.cancel()
    return undefined
  }
  let followers = followed.get(signal)
  if (followers === undefined) {
    followers = new Followers(signal)
    followed.set(signal, followers)
  }
  followers.add(follower)
  return followers
}
