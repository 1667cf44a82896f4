import { ModelError } from '../../core/ports/model.ts'

/** No answer arrived: not one byte was received. */
export class UnansweredError extends ModelError {
  /** The system's code, such as ECONNREFUSED; undefined for a limit of ours. */
  readonly code: string | undefined

  constructor(message: string, options: { readonly code?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, { retryable: true, cause: options.cause })
    this.code = options.code
  }
}

/** The server answered with another status than 2xx. */
export class StatusError extends ModelError {
  readonly status: number
  /** What the server wrote, without markup, at most some hundred characters. */
  readonly words: string
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    about: { readonly status: number; readonly words: string; readonly retryAfter?: number | undefined },
  ) {
    super(message, { retryable: isTransient(about.status) })
    this.status = about.status
    this.words = about.words
    this.retryAfter = about.retryAfter
  }
}

/** True for the status codes after which the same request may work: too many requests, and failures of the server itself. */
export function isTransient(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501 && status !== 505)
}
