import { ModelError } from '../../core/ports/model.ts'
import type { Limits } from '../http/limits.ts'
import type { AiSdkPart, AiSdkStream } from './language-model.ts'

/** One request to a provider, watched for its limits. */
export interface Watched {
  /** Aborts when the caller cancels, when a limit has passed, and when it is closed: the provider closes its connection then. */
  readonly signal: AbortSignal
  /** Runs what waits for the first byte. */
  untilFirstByte<Answer>(work: () => PromiseLike<Answer>): Promise<Answer>
  /** The parts of a stream, each within the limit. */
  read(stream: AiSdkStream): AsyncGenerator<AiSdkPart>
  /** Why the signal has aborted, where it has. */
  problem(): ModelError | undefined
  close(): void
}

/** Watches a request. */
export function watchLimits(caller: AbortSignal, { firstByteSeconds, idleSeconds }: Limits): Watched {
  const own = new AbortController()
  const within = async <Answer>(work: () => PromiseLike<Answer>, seconds: number, message: string): Promise<Answer> => {
    const timer = setTimeout(() => own.abort(new ModelError(message, { retryable: true })), seconds * 1_000)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
    }
  }
  const idle = `The provider sent nothing for ${idleSeconds} seconds before its reply was complete.`
  const late = `The provider did not answer within ${firstByteSeconds} seconds.`
  return {
    signal: AbortSignal.any([caller, own.signal]),
    untilFirstByte: (work) => within(work, firstByteSeconds, late),
    async *read(stream) {
      const reader = stream.getReader()
      try {
        for (;;) {
          const { done, value } = await within(() => reader.read(), idleSeconds, idle)
          if (done) return
          yield value
        }
      } finally {
        reader.releaseLock()
      }
    },
    problem() {
      if (caller.aborted) return new ModelError('The request was cancelled.', { cause: caller.reason })
      return own.signal.reason instanceof ModelError ? own.signal.reason : undefined
    },
    close: () => own.abort(),
  }
}
