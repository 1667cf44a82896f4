import type { Sandbox } from '../core/ports/sandbox.ts'
import type { PendingOptions } from './overlay/pending/pending-changes.ts'

/** Creates a sandbox at its first use, so that a start without commands costs nothing. `isOffline` is known before. */
export function createLazySandbox(isOffline: boolean, make: () => Promise<Sandbox>, options: PendingOptions): Sandbox {
  let made: Promise<Sandbox> | undefined
  const find = () => {
    made ??= make()
    return made
  }
  const findPending = async () => {
    const { createPendingChanges } = await import('./overlay/pending/pending-changes.ts')
    return createPendingChanges(options)
  }
  return {
    isOffline,
    pending: {
      list: async () => (await findPending()).list(),
      apply: async (call, choice) => (await findPending()).apply(call, choice),
      discard: async (call) => (await findPending()).discard(call),
    },
    run: async (order, owner) => (await find()).run(order, owner),
    examine: async () => (await find()).examine(),
    close: async () => (await made)?.close(),
  }
}
