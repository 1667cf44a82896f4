/** What a signal can cancel. */
export interface Cancellable {
  cancel(): void
}

/** Those that one signal cancels, and its listener. */
interface Followers {
  readonly all: Set<Cancellable>
  readonly cancel: () => void
}

/** The signals that somebody follows. Each has one listener for all of its followers: adding one for each call cost as much as the call, and a run gives all its calls one signal (gate 1d). A WeakMap that is never emptied cost as much again at each run (gate 1c). */
const followed = new Map<AbortSignal, Followers>()

/** Cancels when the signal aborts, or at once if it has. Returns a function that ends this. */
export function followSignal(signal: AbortSignal, follower: Cancellable): () => void {
  if (signal.aborted) {
    follower.cancel()
    return () => undefined
  }
  const { all } = followed.get(signal) ?? listen(signal)
  all.add(follower)
  return () => {
    if (all.delete(follower) && all.size === 0) endListening(signal)
  }
}

function listen(signal: AbortSignal): Followers {
  const all = new Set<Cancellable>()
  const cancel = () => {
    followed.delete(signal)
    for (const follower of [...all]) follower.cancel()
  }
  const followers = { all, cancel }
  followed.set(signal, followers)
  signal.addEventListener('abort', cancel, { once: true })
  return followers
}

function endListening(signal: AbortSignal): void {
  const followers = followed.get(signal)
  if (followers === undefined) return
  followed.delete(signal)
  signal.removeEventListener('abort', followers.cancel)
}
