import type { Folded } from './fold.ts'
import { originalRange, preferClosed, type TextRange } from './text-ranges.ts'

/** Maps each indentation of `old` to exactly one of the file, in the same order. */
export type Drift = ReadonlyMap<string, string>

/** A range whose lines differ from `old` only in indentation. */
export interface DriftedRange extends TextRange {
  readonly drift: Drift
}

/** The most line comparisons for one edit; a text that needs more has no match. */
const MAX_COMPARED = 20_000_000

/** Finds every run of lines that equals `old` apart from a consistent change of indentation. Expects no trailing blanks on either side. */
export function findDrifted(file: Folded, old: string): DriftedRange[] {
  const fileLines = linesOf(file)
  const parts = old.split('\n')
  const opensWithNewline = parts[0] === '' && parts.length > 1
  const endsWithNewline = parts.length > 1 && parts.at(-1) === ''
  const wanted = parts.slice(opensWithNewline ? 1 : 0, endsWithNewline ? -1 : undefined).map(toLine)
  const ranges: DriftedRange[] = []
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
    ranges.push({ ...originalRange(file, start, end), drift })
  }
  return preferClosed(ranges)
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

/** The lines of a text that ends with a newline, each with its offset; split once for all edits. */
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

/** Counts how many of the wanted lines match from a line on, ignoring indentation. */
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

/** True when the order is kept: deeper in `old` is deeper in the file, equal is equal. */
function keepsOrder(drift: Drift): boolean {
  const levels = levelsOf(drift)
  return levels.every(({ width, to }, index) => {
    const before = levels[index - 1]
    if (before === undefined) return true
    return before.width === width ? before.to === to : widthOf(before.to) < widthOf(to)
  })
}

/** One indentation of `old`, its columns, and its counterpart in the file. */
export interface Level {
  readonly width: number
  readonly from: string
  readonly to: string
}

/** Returns the levels of a drift, the shallowest first. */
export function levelsOf(drift: Drift): Level[] {
  return [...drift].map(([from, to]) => ({ width: widthOf(from), from, to })).sort((a, b) => a.width - b.width)
}

/** Returns the blanks at the start of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** Counts the columns of an indentation; a tab advances to the next multiple of four. */
export function widthOf(indent: string): number {
  let width = 0
  for (const character of indent) width += character === '\t' ? 4 - (width % 4) : 1
  return width
}
