import type { Folded } from './fold.ts'
import { type Place, placeOf, preferClosed } from './places.ts'

/** How the indentations of `old` stand in the file: each maps to exactly one, order kept. */
export type Drift = ReadonlyMap<string, string>

/** A place whose lines differ from `old` in indentation alone. */
export interface DriftPlace extends Place {
  readonly drift: Drift
}

/** So many lines are compared for one edit; a text that repeats itself so often has no place. */
const MAX_COMPARED = 20_000_000

/** Every run of whole lines that is `old` but for consistent indentation. Both sides have no trailing blanks. */
export function driftPlaces(file: Folded, old: string): DriftPlace[] {
  const fileLines = linesOf(file)
  const parts = old.split('\n')
  const opensWithNewline = parts[0] === '' && parts.length > 1
  const endsWithNewline = parts.length > 1 && parts.at(-1) === ''
  const wanted = parts.slice(opensWithNewline ? 1 : 0, endsWithNewline ? -1 : undefined).map(toLine)
  const places: DriftPlace[] = []
  let compared = 0
  for (let at = opensWithNewline ? 1 : 0; at + wanted.length <= fileLines.length; at++) {
    const alike = countAlike(fileLines, wanted, at)
    compared += alike + 1
    if (compared > MAX_COMPARED) return []
    const drift = alike === wanted.length ? findDrift(fileLines, wanted, at) : undefined
    const [first, last] = [fileLines[at], fileLines[at + wanted.length - 1]]
    if (!drift || !first || !last) continue
    const start = opensWithNewline ? first.start - 1 : first.start
    const end = last.start + last.indent.length + last.body.length + (endsWithNewline ? 1 : 0)
    places.push({ ...placeOf(file, start, end), drift })
  }
  return preferClosed(places)
}

interface Line {
  readonly indent: string
  readonly body: string
  readonly start: number
}

function toLine(text: string, start = 0): Line {
  const indent = indentOf(text)
  return { indent, body: text.slice(indent.length), start }
}

const linesOfFiles = new WeakMap<Folded, readonly Line[]>()

/** The lines of a text that ends with a newline, each with where it starts; split once for all edits. */
function linesOf(file: Folded): readonly Line[] {
  const known = linesOfFiles.get(file)
  if (known) return known
  const lines: Line[] = []
  let start = 0
  for (let end = file.text.indexOf('\n'); end >= 0; end = file.text.indexOf('\n', start)) {
    lines.push(toLine(file.text.slice(start, end), start))
    start = end + 1
  }
  linesOfFiles.set(file, lines)
  return lines
}

/** How many of the wanted lines are there from a line on, but for their indentation, before the first that is not. */
function countAlike(lines: readonly Line[], wanted: readonly Line[], at: number): number {
  let count = 0
  while (count < wanted.length && lines[at + count]?.body === wanted[count]?.body) count++
  return count
}

function findDrift(lines: readonly Line[], wanted: readonly Line[], at: number): Drift | undefined {
  const drift = new Map<string, string>()
  for (const [index, { indent, body }] of wanted.entries()) {
    const to = lines[at + index]?.indent ?? ''
    if (body === '') continue
    if ((drift.get(indent) ?? to) !== to) return undefined
    drift.set(indent, to)
  }
  return keepsOrder(drift) ? drift : undefined
}

/** A deeper line of `old` is a deeper line of the file, and equal ones are equal. */
function keepsOrder(drift: Drift): boolean {
  const levels = levelsOf(drift)
  return levels.every(({ width, to }, index) => {
    const before = levels[index - 1]
    if (before === undefined) return true
    return before.width === width ? before.to === to : widthOf(before.to) < widthOf(to)
  })
}

/** One indentation of `old`, its columns, and what stands for it in the file. */
export interface Level {
  readonly width: number
  readonly from: string
  readonly to: string
}

/** The levels of a drift, the shallowest first. */
export function levelsOf(drift: Drift): Level[] {
  return [...drift].map(([from, to]) => ({ width: widthOf(from), from, to })).sort((a, b) => a.width - b.width)
}

/** The blanks a line starts with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** The columns of an indentation; a tab goes to the next multiple of four. */
export function widthOf(indent: string): number {
  let width = 0
  for (const character of indent) width += character === '\t' ? 4 - (width % 4) : 1
  return width
}
