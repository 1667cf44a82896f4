import type { ValidCall } from '../core/call/call.ts'
import { isJsonValue, isRecord } from '../core/text/json.ts'

/** An argument as text for the patterns of rules: the value that the tool gets. What was sent, where JSON cannot carry that value or the tool gets none of this name. */
export function argumentText({ input, arguments: sent }: ValidCall, name: string): string {
  const parsed = isRecord(input) ? input[name] : undefined
  if (input !== sent && isJsonValue(parsed)) return asText(parsed)
  return asText(Object.hasOwn(sent, name) ? sent[name] : undefined)
}

/** True where that text is what the tool gets: an allow needs it. */
export function isArgumentKnown({ input, arguments: sent }: ValidCall, name: string): boolean {
  return input === sent || (isRecord(input) && isJsonValue(input[name]))
}

/** All arguments of a call as texts. Where JSON cannot carry all of what the tool gets: those parts that it can carry, and what was sent. */
export function callTexts({ input, shown, arguments: sent }: ValidCall): readonly string[] {
  if (shown !== sent || input === sent) return [asText(shown)]
  const parts = isRecord(input) ? Object.values(input).filter(isJsonValue) : []
  return [asText(sent), ...parts.map(asText)]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
