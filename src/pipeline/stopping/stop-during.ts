import { ToolError } from '../../core/call/result.ts'
import { Limit } from './deadlines.ts'
import { GRACE, MAX_SECONDS } from './limits.ts'
import type { CancelHandler, Stop } from './stop.ts'

/** What a call was doing when it was stopped, and the consequence. */
export type During = 'while it prepared. Nothing was run.' | 'while its result was checked. It has run.'

export const PREPARING: During = 'while it prepared. Nothing was run.'
export const CHECKING: During = 'while its result was checked. It has run.'

/**
 * Waits for code of a tool other than `execute`, such as `prepare` or an author's schema, which may never end. Rejects with
 * CANCELLED a moment after the call was cancelled, and with TIMEOUT after MAX_SECONDS.
 */
export function stopDuring<T>(work: T | Promise<T>, stop: Stop, during: During): T | Promise<T> {
  return work instanceof Promise ? waitFor(work, stop, during) : work
}

function waitFor<T>(work: Promise<T>, stop: Stop, during: During): Promise<T> {
  const ended = Promise.withResolvers<T>()
  const halting = new Halting(stop, during, ended.reject)
  stop.onCancel(halting)
  stop.setLimit(halting)
  halting.goOn()
  if (stop.isCancelled) halting.cancel()
  work.then(ended.resolve, ended.reject)
  return ended.promise.finally(() => {
    halting.end()
    stop.offCancel(halting)
    stop.setLimit(undefined)
  })
}

/** Ends the wait a moment after the call was cancelled or has taken too long. */
class Halting extends Limit implements CancelHandler {
  readonly #stop: Stop
  readonly #during: During
  readonly #reject: (error: ToolError) => void
  #grace: NodeJS.Timeout | undefined

  constructor(stop: Stop, during: During, reject: (error: ToolError) => void) {
    super(MAX_SECONDS * 1000)
    this.#stop = stop
    this.#during = during
    this.#reject = reject
  }

  cancel(): void {
    this.#halt(new ToolError('CANCELLED', `The call was cancelled ${this.#during}`))
  }

  override end(): void {
    super.end()
    clearTimeout(this.#grace)
  }

  protected override pass(): void {
    this.#halt(new ToolError('TIMEOUT', `The call took longer than ${MAX_SECONDS} s ${this.#during}`))
  }

  #halt(error: ToolError): void {
    this.#stop.abort(error)
    this.#grace ??= setTimeout(() => this.#reject(error), GRACE)
  }
}
