import { type Drift, indentOf, type Level, levelsOf, widthOf } from './indentation.ts'

/** Rewrites `new` in the file's indentation: mapped levels directly, others by full steps. Undefined when a line's level cannot be derived. */
export function reindent(text: string, drift: Drift, { old, file }: { old: string; file: string }): string | undefined {
  if (isInFileIndentation(text, drift)) return text
  const steps = stepsOf(drift, { old, text, file })
  const lines: string[] = []
  const startsMidLine = old.startsWith('\n')
  for (const [index, line] of text.split('\n').entries()) {
    const indent = indentOf(line)
    if (line.trim() === '' || (index === 0 && startsMidLine)) lines.push(line)
    else {
      const wanted = drift.get(indent) ?? placeIndent(indent, levelsOf(drift), steps)
      if (wanted === undefined) return undefined
      lines.push(wanted + line.slice(indent.length))
    }
  }
  return lines.join('\n')
}

/** True when `new` already uses the file's indentation although `old` did not. */
function isInFileIndentation(text: string, drift: Drift): boolean {
  const used = new Set(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(indentOf),
  )
  const targets = new Set(drift.values())
  return [...used].every((indent) => targets.has(indent)) && ![...used].every((indent) => drift.has(indent))
}

/** One level: its columns in `old` and `new`, and its text in the file. */
interface Steps {
  readonly columns: number
  readonly inFile: string
}

function placeIndent(indent: string, levels: readonly Level[], steps: Steps | undefined): string | undefined {
  const width = widthOf(indent)
  const base = levels.findLast((level) => level.width < width) ?? levels[0]
  if (base === undefined) return undefined
  const count = steps ? (width - base.width) / steps.columns : Number.NaN
  if (width >= base.width) {
    if (steps && Number.isInteger(count)) return base.to + steps.inFile.repeat(count)
    return base.to + (indent.startsWith(base.from) ? indent.slice(base.from.length) : ' '.repeat(width - base.width))
  }
  const less = steps && Number.isInteger(count) ? steps.inFile.repeat(-count) : undefined
  return less !== undefined && base.to.endsWith(less) ? base.to.slice(0, base.to.length - less.length) : undefined
}

function stepsOf(drift: Drift, { old, text, file }: { old: string; text: string; file: string }): Steps | undefined {
  const columns = commonStep([...widthsOf(old), ...widthsOf(text)])
  if (columns < 2) return undefined
  const inFile = stepFromDrift(levelsOf(drift), columns) ?? stepOfFile(file)
  return inFile === undefined ? undefined : { columns, inFile }
}

/** Derives one step of the file's indentation from two known levels. */
function stepFromDrift(levels: readonly Level[], columns: number): string | undefined {
  for (const [index, { width, to }] of levels.entries()) {
    const before = levels[index - 1]
    if (before === undefined || !to.startsWith(before.to)) continue
    const deeper = to.slice(before.to.length)
    const count = (width - before.width) / columns
    if (count > 0 && deeper.length % count === 0) return deeper.slice(0, deeper.length / count)
  }
  return undefined
}

/** Returns the file's own step: the most frequent increase from one line to the next. */
function stepOfFile(file: string): string | undefined {
  const counts = new Map<string, number>()
  let before = ''
  for (const line of file.split('\n')) {
    if (line.trim() === '') continue
    const indent = indentOf(line)
    if (indent.length > before.length && indent.startsWith(before)) {
      const step = indent.slice(before.length)
      counts.set(step, (counts.get(step) ?? 0) + 1)
    }
    before = indent
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

function widthsOf(text: string): number[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => widthOf(indentOf(line)))
}

/** Returns the greatest common divisor of the differences between indentations; 0 when all are equal. */
function commonStep(widths: readonly number[]): number {
  const least = widths.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return widths.reduce((step, width) => greatestDivisor(step, width - least), 0)
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
