import { stringEnd } from '../../core/text/lossy-json.ts'

/** What is wrong with a text that should be JSON, and where. */
export interface TextProblem {
  readonly problem: string
}

/** A value, and the strict JSON text it was read from. */
export interface Read {
  readonly value: unknown
  readonly text: string
}

/** Parses strict JSON. On failure, returns where the text is invalid. */
export function readJson(text: string): Read | TextProblem {
  try {
    return { value: JSON.parse(text), text }
  } catch (error) {
    return { problem: describeSyntaxError(text, error) }
  }
}

function describeSyntaxError(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const at = Number(/at position (\d+)/.exec(message)?.[1] ?? (/end of JSON/.test(message) ? text.length : Number.NaN))
  if (Number.isNaN(at)) return `it is not valid JSON${unexpectedIn(message)}`
  const lines = text.slice(0, at).split('\n')
  const where = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  if (at >= text.length) return `it is not valid JSON: it ends too early (${where})`
  return `it is not valid JSON at ${where}, after ${JSON.stringify(text.slice(Math.max(0, at - 20), at))}`
}

/** For a short text, V8 reports only the character and no position. */
function unexpectedIn(message: string): string {
  const character = /^Unexpected token '(.+?)'/su.exec(message)?.[1]
  return character === undefined ? '' : `: ${JSON.stringify(character)} is not expected where it stands`
}

/** Returns the keys and strings of valid JSON text, in order. */
export function textsOf(text: string): string[] {
  const texts: string[] = []
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = stringEnd(text, start)
    texts.push(JSON.parse(text.slice(start, end)))
    start = text.indexOf('"', end)
  }
  return texts
}
