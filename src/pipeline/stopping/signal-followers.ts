/** What a signal can cancel. */
export interface Cancellable {
  cancel(): void
}

/** Those that each signal cancels. A signal has one listener for all of them: adding one for each call cost as much as the call, and a run gives all its calls one signal (gate 1d). */
const followers = new WeakMap<AbortSignal, Set<Cancellable>>()

/** Cancels when the signal aborts, or at once if it has. Returns a function that ends this. */
export function followSignal(signal: AbortSignal, follower: Cancellable): () => void {
  if (signal.aborted) follower.cancel()
  const known = followers.get(signal)
  const all = known ?? new Set()
  if (known === undefined) {
    followers.set(signal, all)
    signal.addEventListener('abort', () => cancelAll(all), { once: true })
  }
  all.add(follower)
  return () => all.delete(follower)
}

function cancelAll(all: ReadonlySet<Cancellable>): void {
  for (const follower of [...all]) follower.cancel()
}
