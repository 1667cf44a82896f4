import { messageOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { EditedText } from '../external.ts'

/** What came of editing arguments: a value, a line to edit here because there is no editor, or why there is none. */
type Edited = { readonly value: unknown } | { readonly line: string } | { readonly problem: string }

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

/** Lets the person edit arguments as JSON in their editor. */
export async function editArguments(
  given: unknown,
  edit: ((text: string) => Promise<EditedText>) | undefined,
): Promise<Edited> {
  if (edit === undefined) return { line: JSON.stringify(given) }
  const edited = await edit(JSON.stringify(given, null, 2))
  if ('problem' in edited) return edited
  try {
    const value: unknown = JSON.parse(edited.text)
    return isRecord(value) ? { value } : { problem: 'expected a JSON object' }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}
