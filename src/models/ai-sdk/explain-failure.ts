import { messageOf } from '../../core/call/result.ts'
import { ModelError } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { retryAfterOf, wordsOf } from '../http/explain-status.ts'
import { StatusError, UnansweredError } from '../http/http-errors.ts'

/** The error of ours that a failure of an AI SDK provider stands for, so that it is retried and shown as any other. */
export function explainFailure(thrown: unknown, provider: string): ModelError {
  if (thrown instanceof ModelError) return thrown
  if (!(thrown instanceof Error)) return new ModelError(messageOf(thrown))
  const { statusCode, responseHeaders, responseBody }: Partial<ApiError> = isApiError(thrown) ? thrown : {}
  if (typeof statusCode === 'number') {
    const words = typeof responseBody === 'string' ? wordsOf(responseBody) : thrown.message
    const about = {
      status: statusCode,
      words,
      retryAfter: retryAfterOf(isRecord(responseHeaders) ? responseHeaders : {}),
    }
    return new StatusError(`${provider} answered ${statusCode}: ${words}`, about)
  }
  const code = systemCodeOf(thrown)
  if (code !== undefined)
    return new UnansweredError(`${provider} does not answer: ${thrown.message}`, { code, cause: thrown })
  return new ModelError(`${provider}: ${thrown.message}`, { cause: thrown })
}

interface ApiError {
  readonly statusCode: unknown
  readonly responseHeaders: unknown
  readonly responseBody: unknown
}

/** The SDK's errors are known by their name: its classes may come from several copies of the package. */
function isApiError(thrown: Error): thrown is Error & ApiError {
  return thrown.name === 'AI_APICallError'
}

/** The system's code in an error or in one of those that caused it. */
function systemCodeOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if ('code' in error && typeof error.code === 'string') return error.code
  return undefined
}
