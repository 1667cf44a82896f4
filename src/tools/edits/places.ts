import type { Folded } from './fold.ts'

/** A range of the file that an edit would replace. */
export interface Place {
  readonly start: number
  readonly end: number
  /** The text to be replaced ended with a newline where the file has none. */
  readonly atOpenEnd: boolean
}

/** Every place of a text, overlapping ones too; one that would tear a CRLF apart is none. */
export function exactPlaces(file: string, old: string): Place[] {
  const places: Place[] = []
  for (let start = file.indexOf(old); start >= 0; start = file.indexOf(old, start + 1)) {
    const end = start + old.length
    if (!tearsLineEnd(file, start) && !tearsLineEnd(file, end)) places.push({ start, end, atOpenEnd: false })
  }
  return places
}

function tearsLineEnd(file: string, at: number): boolean {
  return file[at - 1] === '\r' && file[at] === '\n'
}

/** Every place of a folded text in a folded file, as ranges of the original; `wholeLine` wants it to reach a line end. */
export function foldedPlaces(file: Folded, old: string, wholeLine: boolean): Place[] {
  const places: Place[] = []
  for (let start = file.text.indexOf(old); start >= 0; start = file.text.indexOf(old, start + 1)) {
    const end = start + old.length
    if (wholeLine && !endsLine(file, end)) continue
    if (splitsUnit(file, start) || splitsUnit(file, end)) continue
    places.push(placeOf(file, start, end))
  }
  return preferClosed(places)
}

/** A missing final newline is overlooked only where no place has its newline. */
export function preferClosed<P extends Place>(places: readonly P[]): P[] {
  const closed = places.filter(({ atOpenEnd }) => !atOpenEnd)
  return closed.length > 0 ? closed : [...places]
}

/** The range of the original that a range of the folded text stands for; blanks at a line end go with the line. */
export function placeOf(file: Folded, start: number, end: number): Place {
  const first = file.from[start] ?? file.length
  const last = endsLine(file, end) ? (file.from[end] ?? file.length) : (file.to[end - 1] ?? first)
  const usesVirtual = file.virtualNewline && end === file.text.length
  return { start: first, end: usesVirtual ? file.length : endOf(file, end, last), atOpenEnd: usesVirtual }
}

/** A range that itself ends with a newline ends right behind it. */
function endOf(file: Folded, end: number, last: number): number {
  return file.text[end - 1] === '\n' ? (file.to[end - 1] ?? last) : last
}

function endsLine(file: Folded, end: number): boolean {
  return end >= file.text.length || file.text[end] === '\n'
}

/** True inside what one original character, or one cluster of them, was folded to. */
function splitsUnit(file: Folded, at: number): boolean {
  return at > 0 && at < file.text.length && file.from[at] === file.from[at - 1]
}

/** The numbers of the lines that offsets lie in; the offsets go up. */
export function linesAt(text: string, offsets: readonly number[]): number[] {
  let line = 1
  let end = text.indexOf('\n')
  return offsets.map((offset) => {
    for (; end >= 0 && end < offset; end = text.indexOf('\n', end + 1)) line++
    return line
  })
}
