import type { Folded } from './fold.ts'

/** A range of the file that an edit would replace. */
export interface TextRange {
  readonly start: number
  readonly end: number
  /** True when the replaced text ended with a newline that the file lacks. */
  readonly atOpenEnd: boolean
}

/** Finds every occurrence of a text, overlapping ones included; never one that would split a CRLF. */
export function findExact(file: string, old: string): TextRange[] {
  const ranges: TextRange[] = []
  for (let start = file.indexOf(old); start >= 0; start = file.indexOf(old, start + 1)) {
    const end = start + old.length
    if (!tearsLineEnd(file, start) && !tearsLineEnd(file, end)) ranges.push({ start, end, atOpenEnd: false })
  }
  return ranges
}

function tearsLineEnd(file: string, at: number): boolean {
  return file[at - 1] === '\r' && file[at] === '\n'
}

/** Finds every occurrence of a folded text in a folded file, as ranges of the original; with `wholeLine` it must reach a line end. */
export function findFolded(file: Folded, old: string, wholeLine: boolean): TextRange[] {
  const ranges: TextRange[] = []
  for (let start = file.text.indexOf(old); start >= 0; start = file.text.indexOf(old, start + 1)) {
    const end = start + old.length
    if (wholeLine && !endsLine(file, end)) continue
    if (splitsUnit(file, start) || splitsUnit(file, end)) continue
    ranges.push(originalRange(file, start, end))
  }
  return preferClosed(ranges)
}

/** Accepts a missing final newline only when no match has one. */
export function preferClosed<P extends TextRange>(ranges: readonly P[]): P[] {
  const closed = ranges.filter(({ atOpenEnd }) => !atOpenEnd)
  return closed.length > 0 ? closed : [...ranges]
}

/** Maps a range of the folded text to the original; blanks at a line end belong to the line. */
export function originalRange(file: Folded, start: number, end: number): TextRange {
  const first = file.from[start] ?? file.length
  const last = endsLine(file, end) ? (file.from[end] ?? file.length) : (file.to[end - 1] ?? first)
  const usesVirtual = file.virtualNewline && end === file.text.length
  return { start: first, end: usesVirtual ? file.length : endOf(file, end, last), atOpenEnd: usesVirtual }
}

/** Ends a range that ends with a newline right after that newline. */
function endOf(file: Folded, end: number, last: number): number {
  return file.text[end - 1] === '\n' ? (file.to[end - 1] ?? last) : last
}

function endsLine(file: Folded, end: number): boolean {
  return end >= file.text.length || file.text[end] === '\n'
}

/** True for an offset inside the folded form of one original character or cluster. */
function splitsUnit(file: Folded, at: number): boolean {
  return at > 0 && at < file.text.length && file.from[at] === file.from[at - 1]
}

/** Returns the line number of each offset; expects ascending offsets. */
export function linesAt(text: string, offsets: readonly number[]): number[] {
  let line = 1
  let end = text.indexOf('\n')
  return offsets.map((offset) => {
    for (; end >= 0 && end < offset; end = text.indexOf('\n', end + 1)) line++
    return line
  })
}
