import type { Folded } from './fold.ts'
import { type Place, placeOf, preferClosed } from './places.ts'

/** How the indentations of `old` stand in the file: each maps to exactly one, order kept. */
export type Drift = ReadonlyMap<string, string>

/** A place whose lines differ from `old` in indentation alone. */
export interface DriftPlace extends Place {
  readonly drift: Drift
}

/** Every run of whole lines that is `old` but for consistent indentation. Both sides have no trailing blanks. */
export function driftPlaces(file: Folded, old: string): DriftPlace[] {
  const fileLines = splitLines(file.text)
  const parts = old.split('\n')
  const opensWithNewline = parts[0] === '' && parts.length > 1
  const endsWithNewline = parts.length > 1 && parts.at(-1) === ''
  const wanted = parts.slice(opensWithNewline ? 1 : 0, endsWithNewline ? -1 : undefined)
  const places: DriftPlace[] = []
  for (let at = opensWithNewline ? 1 : 0; at + wanted.length <= fileLines.length; at++) {
    const drift = findDrift(fileLines, wanted, at)
    const [first, last] = [fileLines[at], fileLines[at + wanted.length - 1]]
    if (!drift || !first || !last) continue
    const start = opensWithNewline ? first.start - 1 : first.start
    const end = last.start + last.text.length + (endsWithNewline ? 1 : 0)
    places.push({ ...placeOf(file, start, end), drift })
  }
  return preferClosed(places)
}

interface Line {
  readonly text: string
  readonly start: number
}

/** The lines of a text that ends with a newline, each with where it starts. */
function splitLines(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    lines.push({ text: text.slice(start, end), start })
    start = end + 1
  }
  return lines
}

function findDrift(lines: readonly Line[], wanted: readonly string[], at: number): Drift | undefined {
  const drift = new Map<string, string>()
  for (const [index, line] of wanted.entries()) {
    const found = lines[at + index]?.text ?? ''
    const [from, to] = [indentOf(line), indentOf(found)]
    if (line.slice(from.length) !== found.slice(to.length)) return undefined
    if (line === '') continue
    if ((drift.get(from) ?? to) !== to) return undefined
    drift.set(from, to)
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
