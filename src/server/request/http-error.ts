import type { ErrorBody } from '../../core/api/route.ts'
import type { ErrorCode } from '../../core/call/codes.ts'
import { type Failure, isFailure, ToolError } from '../../core/call/result.ts'
import { ModelError } from '../../core/ports/model.ts'

/** The status of an answer that reports a failure with this code. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  UNKNOWN_TOOL: 404,
  INVALID_ARGUMENTS: 400,
  BLOCKED: 403,
  DENIED: 403,
  INVALID_PATH: 400,
  FILE_NOT_FOUND: 404,
  PERMISSION_DENIED: 403,
  CONFLICT: 409,
  TOO_LARGE: 413,
  TIMEOUT: 408,
  CANCELLED: 409,
  EXECUTION_ERROR: 500,
  INTERRUPTED: 409,
  UNAVAILABLE: 503,
}

/** What is added to a refusal. */
interface RefusalExtras {
  readonly headers?: Readonly<Record<string, string>>
  readonly details?: Readonly<Record<string, unknown>>
}

/** Thrown by a handler to refuse a request. */
export class HttpError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { status, ...extras }: RefusalExtras & { readonly status?: number } = {},
  ) {
    super(message)
    this.name = 'HttpError'
    this.status = status ?? STATUS[code]
    this.code = code
    this.headers = extras.headers ?? {}
    this.details = extras.details
  }

  /** The body of the answer. */
  get body(): ErrorBody {
    const { code, message, details } = this
    return { error: { code, message, ...(details && { details }) } }
  }
}

/** Makes the refusal of a failure. */
export function refusalOf({ code, text, details }: Failure): HttpError {
  return new HttpError(code, text, details && { details })
}

/** Returns a value, or throws it as a refusal where it is a failure. */
export function orRefuse<T>(value: T | Failure): T {
  if (isFailure(value)) throw refusalOf(value)
  return value
}

/** Returns the refusal that a thrown value means; undefined for a fault of the server. */
export function refusalOfThrown(thrown: unknown): HttpError | undefined {
  if (thrown instanceof HttpError) return thrown
  if (thrown instanceof ModelError) return new HttpError('INVALID_ARGUMENTS', thrown.message)
  if (thrown instanceof ToolError && thrown.code !== 'EXECUTION_ERROR')
    return new HttpError(thrown.code, thrown.message, thrown.details && { details: thrown.details })
  return undefined
}
