import { isFailure, ToolError } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { FromProcess } from './protocol.ts'

/** Reads a line of the process; undefined for what is no message, since tool files may write to the descriptor too. */
export function readMessage(line: string): FromProcess | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isRecord(message) && typeof message.type === 'string' ? (message as FromProcess) : undefined
  } catch {
    return undefined
  }
}

/** A failure that the process sent, as what tools throw; `more` stands below its text. */
export function errorOf(failure: unknown, more = ''): ToolError {
  if (!isFailure(failure))
    return new ToolError('EXECUTION_ERROR', 'the process of the tool answered with something else than a result')
  const { code, text, details, retryable } = failure
  const extras = { ...(details && { details }), ...(retryable !== undefined && { retryable }) }
  return new ToolError(code, more === '' ? text : `${text}\n${more}`, extras)
}
