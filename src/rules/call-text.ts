import type { ValidCall } from '../core/call/call.ts'
import { isJsonValue, isRecord } from '../core/text/json.ts'

/** Returns an argument as text for rule patterns: the parsed value that the tool gets, or the sent value when the parsed one is missing or not JSON. */
export function argumentText({ input, arguments: sent }: ValidCall, name: string): string {
  const parsed = isRecord(input) ? input[name] : undefined
  if (input !== sent && isJsonValue(parsed)) return asText(parsed)
  return asText(Object.hasOwn(sent, name) ? sent[name] : undefined)
}

/** True when that text is what the tool gets, which an allow rule requires. */
export function isArgumentKnown({ input, arguments: sent }: ValidCall, name: string): boolean {
  return input === sent || (isRecord(input) && isJsonValue(input[name]))
}

/** Returns all arguments of a call as texts. When the parsed input is not JSON: its parts that are, and what was sent. */
export function callTexts({ input, shown, arguments: sent }: ValidCall): readonly string[] {
  if (shown !== sent || input === sent) return [asText(shown)]
  const parts = isRecord(input) ? Object.values(input).filter(isJsonValue) : []
  return [asText(sent), ...parts.map(asText)]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
