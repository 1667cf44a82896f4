const OPEN = /[ \t]*(`{3,}|~{3,})([^`\n]*)(?:\n|$)/y
const LINE = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?$/gm

/** A code fence that opens on a line. */
export interface Fence {
  /** The backticks or tildes. */
  readonly marks: string
  /** What stands after them, such as a language. */
  readonly info: string
  /** Where its content begins. */
  readonly content: number
}

/** Returns the fence that opens at the first character of a line. */
export function openFence(text: string, lineStart: number): Fence | undefined {
  OPEN.lastIndex = lineStart
  const open = OPEN.exec(text)
  if (open === null) return undefined
  return { marks: open[1] ?? '', info: (open[2] ?? '').trim(), content: lineStart + open[0].length }
}

/** Returns where the closing line of a fence begins and ends, searching from a line start. */
export function closeFence(
  text: string,
  from: number,
  marks: string,
): { readonly at: number; readonly end: number } | undefined {
  LINE.lastIndex = from
  for (let line = LINE.exec(text); line !== null; line = LINE.exec(text)) {
    const found = line[1] ?? ''
    if (found[0] === marks[0] && found.length >= marks.length)
      return { at: line.index, end: line.index + line[0].length }
  }
  return undefined
}

/** Returns where the line of a place begins when only blanks stand before the place, or undefined. */
export function lineStartBefore(text: string, at: number): number | undefined {
  let start = at
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--
  return start === 0 || text[start - 1] === '\n' ? start : undefined
}
