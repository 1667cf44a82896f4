import { isRecord } from '../text/json.ts'
import type { Result } from './result.ts'

/** A result as value or error. */
export type ValueResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: { readonly code: string; readonly message: string; readonly details?: unknown }
    }

/** A result as the Copilot SDK takes it. */
export interface CopilotResult {
  readonly resultType: 'success' | 'failure'
  readonly textResultForLlm: string
  readonly error?: string
}

/** A result as a tool message: output, and an error when it failed. */
export interface ToolResult {
  readonly tool_call_id: string
  readonly output: string
  readonly error?: string
  readonly success: boolean
}

/** `{ok, value}` or `{ok, error: {code, message, details?}}`. */
export function toValueResult(result: Result): ValueResult {
  if (result.ok) return { ok: true, value: result.data }
  const { code, text, details } = result
  return { ok: false, error: { code, message: text, ...(details && { details }) } }
}

/** `{ok, text, data}` or `{ok, code, text, details?, retryable?}`: a result as `haft call --json` prints it. */
export function toJsonResult(result: Result): Result {
  if (!result.ok) return result
  const { ok, text, data } = result
  return { ok, text, data }
}

/** `{resultType, textResultForLlm, error?}`; the model reads of a failure too. */
export function toCopilotResult(result: Result): CopilotResult {
  if (result.ok) return { resultType: 'success', textResultForLlm: result.text }
  return { resultType: 'failure', textResultForLlm: result.text, error: `${result.code}: ${result.text}` }
}

/** `{tool_call_id, output, error?, success}`; a program that ended with another code than 0 is no success here. */
export function toToolResult(result: Result, toolCallId: string): ToolResult {
  if (!result.ok)
    return { tool_call_id: toolCallId, output: '', error: `${result.code}: ${result.text}`, success: false }
  const exitCode = isRecord(result.data) ? result.data.exitCode : undefined
  const failed = typeof exitCode === 'number' && exitCode !== 0
  return {
    tool_call_id: toolCallId,
    output: result.text,
    ...(failed && { error: `exit code ${exitCode}` }),
    success: !failed,
  }
}
