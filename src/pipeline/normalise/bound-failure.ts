import { isErrorCode } from '../../core/call/codes.ts'
import { type Failure, messageOf } from '../../core/call/result.ts'
import { cutText, isLong, MAX_DATA, sizeOf } from './bound.ts'
import { keepOutput, type Outputs, TOO_MUCH } from './keep-output.ts'

/** Bounds a failure from whatever a tool threw: one of Haft's codes, the full text kept, and details that JSON can represent. */
export function boundFailure(call: string, given: Failure, outputs: Outputs): Failure | Promise<Failure> {
  const { code, details, retryable } = given
  const full = typeof given.text === 'string' ? given.text : messageOf(given.text)
  const isCut = isLong(full)
  const result: Failure = {
    ok: false,
    code: isErrorCode(code) ? code : 'EXECUTION_ERROR',
    text: isCut ? cutText(full, call) : full,
    ...(details !== undefined && { details: boundDetails(details) }),
    ...(retryable !== undefined && { retryable }),
  }
  return keepOutput(call, { result, ...(isCut && { output: full }) }, outputs)
}

function boundDetails(details: Required<Failure>['details']): Required<Failure>['details'] {
  try {
    if (sizeOf(details) <= MAX_DATA) return details
    return { omitted: true, reason: TOO_MUCH }
  } catch (thrown) {
    return { omitted: true, reason: `the details cannot be turned into JSON: ${messageOf(thrown)}` }
  }
}
