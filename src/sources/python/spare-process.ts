import { type FreshProcess, type ProcessPlace, startFresh } from './fresh-process.ts'

/** How long a process waits to be used, in milliseconds: a folder that nobody edits any more costs no memory. */
const LONGEST = 600_000

/** One host process started ahead of the next load, which takes about a third of the time then. Used once. */
export interface SpareProcess {
  /** Returns the waiting process, if there is one. */
  take(): FreshProcess | undefined
  /** Starts the next one, unless one waits. */
  prepareNext(): void
  /** Ends the waiting process and starts no other; resolves when it is gone. */
  close(): Promise<void>
}

/** Makes the place for one waiting process. It does not keep the program running. */
export function createSpareProcess(place: ProcessPlace): SpareProcess {
  let waiting: FreshProcess | undefined
  let starting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const drop = (): Promise<unknown> | undefined => {
    clearTimeout(timer)
    const dropped = waiting?.process
    waiting = undefined
    dropped?.end()
    return dropped?.ended
  }
  const start = async (): Promise<void> => {
    const fresh = await startFresh(place)
    if (isClosed) {
      fresh.process.end()
      await fresh.process.ended
      return
    }
    waiting = fresh
    fresh.process.rest()
    timer = setTimeout(drop, LONGEST).unref()
    void fresh.process.ended.then(() => {
      if (waiting === fresh) drop()
    })
  }
  return {
    take() {
      clearTimeout(timer)
      const taken = waiting
      waiting = undefined
      taken?.process.hold()
      return taken
    },
    prepareNext() {
      if (isClosed || waiting !== undefined || starting !== undefined) return
      // The load that needs a process reports why none can be started.
      starting = start()
        .catch(() => undefined)
        .finally(() => {
          starting = undefined
        })
    },
    async close() {
      isClosed = true
      await starting
      await drop()
    },
  }
}
