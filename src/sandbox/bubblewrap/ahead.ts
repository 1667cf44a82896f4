import type { RunOrder } from '../../core/ports/sandbox.ts'
import type { Cleaner } from './cleaner.ts'
import type { Stage, Stages } from './stage.ts'

/** How long after a run the next sandbox is started, in milliseconds: a program that ends then need not start it. */
const AFTER = 30

/** One sandbox that waits, so that the next run is fast; never used twice. */
export interface Ahead {
  /** The waiting one, if the order can use it and it is well. */
  take(order: RunOrder): Stage | undefined
  /** Starts the next one soon. */
  prepareNext(): void
  /** Ends the waiting one and starts no other. */
  close(): void
}

/** Keeps at most one sandbox waiting. It does not keep the program running. */
export function createAhead(stages: Stages, cleaner: Cleaner): Ahead {
  let waiting: Stage | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const forget = (stage: Stage) => {
    if (waiting === stage) waiting = undefined
  }
  const start = () => {
    if (closed || waiting !== undefined) return
    const stage = stages.openAhead()
    if (stage === undefined) return
    waiting = stage
    stage.box.hold(false)
    void stage.box.ended.then(() => forget(stage))
  }
  return {
    take(order) {
      const stage = order.direct ? undefined : waiting
      if (stage === undefined) return undefined
      waiting = undefined
      stage.box.hold(true)
      return stage
    },
    prepareNext() {
      clearTimeout(timer)
      timer = setTimeout(start, AFTER)
      timer.unref()
    },
    close() {
      closed = true
      clearTimeout(timer)
      const stage = waiting
      waiting = undefined
      if (stage !== undefined) cleaner.discard(stage)
    },
  }
}
