/** One call's way to be stopped, by its caller or by its time limit. */
export interface Stop {
  /** What the tool and whoever waits for an answer listen to. */
  readonly signal: AbortSignal
  /** True once the caller wished to stop. */
  readonly wished: boolean
  /** The caller's wish: heard by the room that is at work, else it stops the call at the next door. */
  cancel(): void
  /** Lets the room at work hear the wish; undefined when it is done. */
  hear(listener: (() => void) | undefined): void
  abort(reason: Error): void
}

/** Makes the stop of one call. */
export function createStop(): Stop {
  const controller = new AbortController()
  let wished = false
  let heard: (() => void) | undefined
  return {
    signal: controller.signal,
    get wished() {
      return wished
    },
    cancel() {
      if (wished) return
      wished = true
      if (heard) heard()
      else controller.abort(new Error('the call was cancelled'))
    },
    hear(listener) {
      heard = listener
    },
    abort: (reason) => controller.abort(reason),
  }
}
