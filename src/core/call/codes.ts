/** Every way a call can fail. Each has a row in docs/errors.md, which a test checks. */
export const ERROR_CODES = [
  'UNKNOWN_TOOL',
  'INVALID_ARGUMENTS',
  'BLOCKED',
  'DENIED',
  'INVALID_PATH',
  'FILE_NOT_FOUND',
  'PERMISSION_DENIED',
  'CONFLICT',
  'TOO_LARGE',
  'TIMEOUT',
  'CANCELLED',
  'EXECUTION_ERROR',
  'INTERRUPTED',
  'UNAVAILABLE',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** True for one of Haft's error codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return ERROR_CODES.some((code) => code === value)
}

/** How a call ended: `ok`, or the code of its failure. */
export type Outcome = 'ok' | ErrorCode
