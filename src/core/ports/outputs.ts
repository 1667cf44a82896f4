/** A range of the lines of a kept output; lines count from 1. */
export interface OutputPart {
  readonly lines: readonly string[]
  readonly from: number
  readonly to: number
  readonly total: number
}

/** Full outputs of calls whose results were cut, to be read by line range. */
export interface Outputs {
  /** The lines `from` to `to` of a call's full output, or undefined when none is kept under that id. */
  read(call: string, from: number, to: number): Promise<OutputPart | undefined>
}

/** The lines `from` to `to` of a text. */
export function cutLines(text: string, from: number, to: number): OutputPart {
  const lines = outputLines(text)
  const part = lines.slice(from - 1, to)
  return { lines: part, from, to: from + part.length - 1, total: lines.length }
}

/** The longest line of a kept output: a longer one is folded and counts as several. */
export const OUTPUT_LINE_LENGTH = 4_000

/** Splits an output into the lines that are counted: at newlines, and inside lines that are too long. */
export function outputLines(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.length <= OUTPUT_LINE_LENGTH ? line : foldLine(line)))
}

function foldLine(line: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length; ) {
    const end = wholeCharacterEnd(line, at + OUTPUT_LINE_LENGTH)
    pieces.push(line.slice(at, end))
    at = end
  }
  return pieces
}

/** Returns the given end, or one less if it would split a surrogate pair. */
export function wholeCharacterEnd(text: string, end: number): number {
  if (end >= text.length) return text.length
  const before = text.charCodeAt(end - 1)
  return before >= 0xd800 && before <= 0xdbff ? end - 1 : end
}
