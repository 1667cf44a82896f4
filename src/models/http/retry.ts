import { setTimeout as pause } from 'node:timers/promises'
import { ModelError, type ModelPart } from '../../core/ports/model.ts'
import { isTransient, StatusError, UnansweredError } from './http-errors.ts'

/** How often and how long a request is tried again. */
export interface RetryPolicy {
  /** How often a request is sent at most. */
  readonly attempts: number
  /** The wait before the second attempt; it doubles each time. */
  readonly firstSeconds: number
  /** The longest wait; a server that asks for more gets no further attempt. */
  readonly maxSeconds: number
}

/** The policy of a chat. */
export const CHAT_RETRIES: RetryPolicy = { attempts: 4, firstSeconds: 0.5, maxSeconds: 60 }

interface Retrying {
  readonly signal: AbortSignal
  readonly policy: RetryPolicy
}

/** Runs an attempt until it succeeds, yielding a `retry` part before each further one. Only failures in which nothing was received are tried again; the last one is thrown. */
export async function* retry<Answer>(
  attempt: () => Promise<Answer>,
  { signal, policy }: Retrying,
): AsyncGenerator<ModelPart, Answer> {
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (thrown) {
      const seconds = made < policy.attempts ? waitAfter(thrown, made, policy) : undefined
      if (seconds === undefined || !(thrown instanceof ModelError)) throw thrown
      yield { type: 'retry', reason: thrown.message, seconds }
      await pause(seconds * 1_000, undefined, { signal }).catch((reason: unknown) => {
        throw new ModelError('The request was cancelled.', { cause: reason })
      })
    }
  }
}

/** The codes of failures that may pass: a server that is starting, and a kept connection that had gone. */
const PASSING: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN'])

/** Seconds until the next attempt; undefined where there must be none. */
function waitAfter(thrown: unknown, made: number, { firstSeconds, maxSeconds }: RetryPolicy): number | undefined {
  const usual = firstSeconds * 2 ** (made - 1)
  if (thrown instanceof UnansweredError) return PASSING.has(thrown.code) ? usual : undefined
  if (!(thrown instanceof StatusError) || !isTransient(thrown.status)) return undefined
  const seconds = thrown.retryAfter ?? usual
  return seconds > maxSeconds ? undefined : seconds
}
