import { askLine, hasPerson } from '../terminal/ask-line.ts'
import { paintError } from '../terminal/front-end.ts'

/** A text that the person at this terminal types; the draft stands there already. Undefined where nobody sits there or they leave. */
export async function askText(what: string, draft: string): Promise<string | undefined> {
  if (!hasPerson()) return undefined
  const { signal } = new AbortController()
  const answer = await askLine({ text: `${paintError('bold', what)} › `, ...(draft !== '' && { draft }), signal })
  return answer?.trim()
}

/** One of several values, by its number or its name; asked again until it is one. Undefined where nobody sits there or they leave. */
export async function askChoice<Value extends string>(
  what: string,
  values: readonly Value[],
): Promise<Value | undefined> {
  if (!hasPerson()) return undefined
  const rows = values.map((value, at) => `  ${paintError('dim', `${at + 1}`)} ${paintError('reset', value)}\n`)
  process.stderr.write(rows.join(''))
  for (;;) {
    const answer = await askText(`${what} (number or name)`, '')
    if (answer === undefined) return undefined
    const chosen = values.find((value) => value === answer) ?? values[Number(answer) - 1]
    if (chosen !== undefined) return chosen
  }
}
