import { askLine, hasPerson } from '../terminal/ask-line.ts'
import { paintError } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

/** A text that the person at this terminal types; the draft stands there already. Undefined where nobody sits there or they leave. */
export async function askText(what: string, draft: string): Promise<string | undefined> {
  if (!hasPerson()) return undefined
  const { signal } = new AbortController()
  const answer = await askLine({ text: `${paintError('bold', what)} › `, ...(draft !== '' && { draft }), signal })
  return answer?.trim()
}

/** One of several values, by its number or its name, each shown with its note; asked again until it is one. Undefined where nobody sits there or they leave. */
export async function askChoice<Value extends string>(
  what: string,
  values: readonly Value[],
  notes: Readonly<Record<string, string>> = {},
): Promise<Value | undefined> {
  if (!hasPerson()) return undefined
  const rows = values.map((value, at): Cell[] => [
    { style: 'reset', text: `  ${at + 1} ${value}` },
    { style: 'dim', text: notes[value] ?? '' },
  ])
  for (const line of tableLines(rows, { last: 'wrap' })) process.stderr.write(`${line}\n`)
  for (;;) {
    const answer = await askText(`${what} (number or name)`, '')
    if (answer === undefined) return undefined
    const chosen = values.find((value) => value === answer) ?? values[Number(answer) - 1]
    if (chosen !== undefined) return chosen
    if (answer !== '') process.stderr.write(`${paintError('yellow', `${answer} is not one of them.`)}\n`)
  }
}
