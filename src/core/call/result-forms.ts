import { isRecord } from '../text/json.ts'
import type { Result } from './result.ts'

/** A result in the form of a value or an error. */
export type ValueResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: { readonly code: string; readonly message: string; readonly details?: unknown }
    }

/** A result in the form that the Copilot SDK expects. */
export interface CopilotResult {
  readonly resultType: 'success' | 'failure'
  readonly textResultForLlm: string
  readonly error?: string
}

/** A result in the form of a tool message. */
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

/** `{resultType, textResultForLlm, error?}`; the text is there for a failure too. */
export function toCopilotResult(result: Result): CopilotResult {
  if (result.ok) return { resultType: 'success', textResultForLlm: result.text }
  return { resultType: 'failure', textResultForLlm: result.text, error: `${result.code}: ${result.text}` }
}

/** `{tool_call_id, output, error?, success}`; `success` is false for a program that ended with an exit code other than 0. */
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
