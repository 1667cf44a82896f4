import type { RunOrder } from '../../core/ports/sandbox.ts'
import type { Cleaner } from './cleaner.ts'
import type { PreparedSandbox, SandboxPreparer } from './prepared-sandbox.ts'

/** The delay after a run before the next sandbox is started, in milliseconds, so that a program that ends now starts none. */
const AFTER = 30

/** One sandbox started ahead of the next run, which makes that run fast. Used once. */
export interface Standby {
  /** Returns the waiting sandbox, if there is one and the order can use it. */
  take(order: RunOrder): PreparedSandbox | undefined
  /** Starts the next sandbox soon: one with a network after two orders in a row that had one, as in a workspace whose settings open hosts. */
  prepareNext(last: RunOrder): void
  /** Ends the waiting sandbox and starts no other. */
  close(): void
}

/** Creates the standby with at most one waiting sandbox. It does not keep the program running. */
export function createStandby(preparer: SandboxPreparer, cleaner: Cleaner): Standby {
  let waiting: PreparedSandbox | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let hasNetwork = false
  let hadNetwork = false
  const discardWaiting = () => {
    const prepared = waiting
    waiting = undefined
    if (prepared !== undefined) cleaner.discard(prepared)
  }
  const start = () => {
    if (closed || (waiting !== undefined && isCarried(waiting) === hasNetwork)) return
    discardWaiting()
    const prepared = preparer.openStandby(hasNetwork)
    if (prepared === undefined) return
    waiting = prepared
    prepared.bwrap.setKeepAlive(false)
    void prepared.bwrap.ended.then(() => waiting === prepared && discardWaiting())
  }
  return {
    take(order) {
      const prepared = order.direct || order.background ? undefined : waiting
      if (prepared === undefined || isCarried(prepared) !== (order.network !== undefined)) return undefined
      waiting = undefined
      prepared.bwrap.setKeepAlive(true)
      return prepared
    },
    prepareNext(last) {
      const has = last.network !== undefined
      hasNetwork = has && hadNetwork
      hadNetwork = has
      clearTimeout(timer)
      timer = setTimeout(start, AFTER)
      timer.unref()
    },
    close() {
      closed = true
      clearTimeout(timer)
      discardWaiting()
    },
  }
}

function isCarried({ forwarder }: PreparedSandbox): boolean {
  return forwarder !== undefined
}
