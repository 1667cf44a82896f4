/** A line of a listing: number, separator, text. */
const NUMBERED = /^[ \t]*(\d+)(\t|→| ?[|│]|:)(.*)$/s

/** A blank line of a listing without its separator. */
const BARE_NUMBER = /^[ \t]*(\d+)[ \t]*$/

/** The lines of a listing, numbers removed. */
export interface Unnumbered {
  readonly text: string
  readonly separator: string
  readonly firstLine: number
  readonly lines: number
}

/** Returns the text of a listing if its lines are numbered consecutively, else undefined. */
export function unnumberListing(text: string): Unnumbered | undefined {
  const stripped = stripNumbers(text)
  if (!stripped || stripped.numbers.some((number, index) => number !== (stripped.numbers[0] ?? 0) + index))
    return undefined
  const { separator, numbers } = stripped
  return { text: stripped.text, separator, firstLine: numbers[0] ?? 0, lines: numbers.length }
}

/** Returns the replacement without line numbers when every line has one, unchanged when none has, else undefined. */
export function unnumberReplacement(text: string, separator: string): string | undefined {
  const stripped = stripNumbers(text)
  if (stripped?.separator === separator) return stripped.text
  const isNumbered = text.split('\n').some((line) => separatorOf(line) === separator)
  return isNumbered ? undefined : text
}

interface Stripped {
  readonly text: string
  readonly separator: string
  readonly numbers: readonly number[]
}

function stripNumbers(text: string): Stripped | undefined {
  const ended = text.endsWith('\n')
  const lines = (ended ? text.slice(0, -1) : text).split('\n')
  const separator = lines.map(separatorOf).find((found) => found !== undefined)
  if (separator === undefined) return undefined
  const numbers: number[] = []
  const bodies: string[] = []
  for (const line of lines) {
    const [, number, , body] = (separatorOf(line) === separator ? NUMBERED.exec(line) : BARE_NUMBER.exec(line)) ?? []
    if (number === undefined) return undefined
    numbers.push(Number(number))
    bodies.push(body ?? '')
  }
  return { text: dropOneBlank(bodies, separator).join('\n') + (ended ? '\n' : ''), separator, numbers }
}

function separatorOf(line: string): string | undefined {
  return NUMBERED.exec(line)?.[2]?.trim() || (NUMBERED.test(line) ? '\t' : undefined)
}

/** Removes the blank that `4 | text` and `4: text` put before the text, if every line has it. */
function dropOneBlank(bodies: readonly string[], separator: string): readonly string[] {
  const isTight = separator === '\t' || separator === '→'
  if (isTight || !bodies.every((body) => body === '' || body.startsWith(' '))) return bodies
  return bodies.map((body) => body.slice(1))
}
