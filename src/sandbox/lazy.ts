import type { Sandbox } from '../core/ports/sandbox.ts'

/** Creates a sandbox at its first use, so that a start without commands costs nothing. `isOffline` is known before. */
export function createLazySandbox(isOffline: boolean, make: () => Promise<Sandbox>): Sandbox {
  let made: Promise<Sandbox> | undefined
  const find = () => {
    made ??= make()
    return made
  }
  return {
    isOffline,
    run: async (order, owner) => (await find()).run(order, owner),
    examine: async () => (await find()).examine(),
    close: async () => (await made)?.close(),
  }
}
