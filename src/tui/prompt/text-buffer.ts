/** A text that is being edited, and the cursor as an index into it. */
export interface TextBuffer {
  readonly text: string
  readonly cursor: number
}

export const EMPTY: TextBuffer = { text: '', cursor: 0 }

const segmenter = new Intl.Segmenter()

/** Returns a buffer with the cursor at its end. */
export function bufferOf(text: string): TextBuffer {
  return { text, cursor: text.length }
}

/** Puts text at the cursor. */
export function insert({ text, cursor }: TextBuffer, added: string): TextBuffer {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length }
}

/** Deletes from another position to the cursor, whichever comes first. */
function cutTo({ text, cursor }: TextBuffer, other: number): TextBuffer {
  const from = Math.min(cursor, other)
  return { text: text.slice(0, from) + text.slice(Math.max(cursor, other)), cursor: from }
}

/** The start of the character before the cursor: as people see characters, which may be several code points. */
function before({ text, cursor }: TextBuffer): number {
  if (cursor === 0 || text[cursor - 1] === '\n') return Math.max(0, cursor - 1)
  const start = lineStart({ text, cursor })
  return start + ([...segmenter.segment(text.slice(start, cursor))].at(-1)?.index ?? 0)
}

function after({ text, cursor }: TextBuffer): number {
  const [first] = segmenter.segment(text.slice(cursor, cursor + 64))
  return cursor + (first?.segment.length ?? 0)
}

function wordBefore({ text, cursor }: TextBuffer): number {
  return /\S*\s*$/.exec(text.slice(0, cursor))?.index ?? 0
}

function wordAfter({ text, cursor }: TextBuffer): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
}

function lineStart({ text, cursor }: TextBuffer): number {
  return text.slice(0, cursor).lastIndexOf('\n') + 1
}

function lineEnd({ text, cursor }: TextBuffer): number {
  const end = text.indexOf('\n', cursor)
  return end === -1 ? text.length : end
}

/** The position above or below the cursor, in the same column of its line as far as that line goes. Undefined at the first or last line. */
function vertical(buffer: TextBuffer, step: -1 | 1): number | undefined {
  const start = lineStart(buffer)
  const column = buffer.cursor - start
  const edge = step === -1 ? start - 1 : lineEnd(buffer) + 1
  if (edge < 0 || edge > buffer.text.length) return undefined
  const there = { text: buffer.text, cursor: edge }
  const begin = lineStart(there)
  return Math.min(begin + column, lineEnd({ text: buffer.text, cursor: begin }))
}

const TARGETS = { before, after, wordBefore, wordAfter, lineStart, lineEnd }

/** Where the cursor can go, or up to where text can be deleted. */
export type Target = keyof typeof TARGETS

/** Moves the cursor. */
export function move(buffer: TextBuffer, target: Target): TextBuffer {
  return { ...buffer, cursor: TARGETS[target](buffer) }
}

/** Moves the cursor a line up or down; undefined where there is none. */
export function moveLine(buffer: TextBuffer, step: -1 | 1): TextBuffer | undefined {
  const cursor = vertical(buffer, step)
  return cursor === undefined ? undefined : { ...buffer, cursor }
}

/** Deletes from the cursor to a target. */
export function erase(buffer: TextBuffer, target: Target): TextBuffer {
  return cutTo(buffer, TARGETS[target](buffer))
}
