import { ToolError } from '../../core/call/result.ts'
import { Limit } from './deadlines.ts'
import { GRACE, MAX_SECONDS } from './limits.ts'
import type { Stop } from './stop.ts'

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
  let grace: NodeJS.Timeout | undefined
  const halt = (error: ToolError) => {
    stop.abort(error)
    grace ??= setTimeout(() => ended.reject(error), GRACE)
  }
  const cancel = () => halt(new ToolError('CANCELLED', `The call was cancelled ${during}`))
  const limit = new Limit(MAX_SECONDS * 1000, {
    pass: () => halt(new ToolError('TIMEOUT', `The call took longer than ${MAX_SECONDS} s ${during}`)),
    remind: () => undefined,
  })
  stop.onCancel(cancel)
  stop.setLimit(limit)
  limit.goOn()
  if (stop.isCancelled) cancel()
  work.then(ended.resolve, ended.reject)
  return ended.promise.finally(() => {
    limit.end()
    clearTimeout(grace)
    stop.offCancel(cancel)
    stop.setLimit(undefined)
  })
}
