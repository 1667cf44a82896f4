import { messageOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'

/** Returns the field of arguments with a single text, which is edited in place. */
export function fieldOf(given: unknown): { readonly name: string; readonly text: string } | undefined {
  if (!isRecord(given)) return undefined
  const [first, ...others] = Object.entries(given)
  if (first === undefined || others.length > 0 || typeof first[1] !== 'string') return undefined
  return { name: first[0], text: first[1] }
}

/** Returns arguments with another text in one field. */
export function withField(given: unknown, name: string, text: string): unknown {
  return { ...(isRecord(given) && given), [name]: text }
}

/** Reads arguments that a person wrote as JSON. */
export function readArguments(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { value } : { problem: 'expected a JSON object' }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}
