import type { Style } from '../../core/terminal/style.ts'
import { cutToWidth, widthOf, wrapWords } from '../../core/terminal/text-width.ts'
import { printable, printableLine } from '../../core/text/printable.ts'
import { columnsOf, paint } from './front-end.ts'

/** One cell of a row. Always on one line, unless it is in the last column and may wrap. */
export interface Cell {
  readonly text: string
  readonly style: Style
  /** Aligned to the right, as numbers are. */
  readonly isRight?: boolean
}

/** How a table is shown. */
export interface TableLook {
  /** What happens to a cell of the last column that does not fit. */
  readonly last: 'cut' | 'wrap'
  readonly indent?: number
  /** The width of the terminal; that of stdout if left out. */
  readonly columns?: number
}

/** The space between two columns. */
const GAP = '  '
/** The indent of columns that do not fit on the first line. */
const BELOW = 4
/** The least width of the last column. */
const LEAST = 24
/** The longest cell that is cut to fit, if there is no terminal. */
const LONGEST = 160

/** Lays out rows in columns. Columns that do not fit the terminal go on lines below, the same ones in every row. The last column gets the rest of its line. */
export function tableLines(rows: readonly (readonly Cell[])[], given: TableLook): string[] {
  const look = { indent: 0, columns: columnsOf(process.stdout), ...given }
  const shown = rows.map((row) =>
    row.map((cell, column) => {
      const mayBreak = look.last === 'wrap' && column === row.length - 1
      return { ...cell, text: mayBreak ? printable(cell.text) : printableLine(cell.text) }
    }),
  )
  const widths = (shown[0] ?? []).map((_, column) =>
    shown.reduce((widest, row) => Math.max(widest, widthOf(row[column]?.text ?? '')), 0),
  )
  const lines = splitColumns(widths, look)
  return shown.flatMap((row) => lines.flatMap((line) => lineOf(row, line, { widths, look })))
}

/** The columns that share a line. */
interface Line {
  readonly indent: number
  readonly columns: number[]
}

function splitColumns(widths: readonly number[], { columns, indent }: Required<TableLook>): Line[] {
  const lines: Line[] = [{ indent, columns: [] }]
  let used = indent
  for (const [column, width] of widths.entries()) {
    const needed = column === widths.length - 1 ? Math.min(width, LEAST) : width
    const line = lines.at(-1)
    if (line && (line.columns.length === 0 || used + needed <= columns)) line.columns.push(column)
    else {
      lines.push({ indent: indent + BELOW, columns: [column] })
      used = indent + BELOW
    }
    used += width + GAP.length
  }
  return lines
}

interface Fitting {
  readonly widths: readonly number[]
  readonly look: Required<TableLook>
}

function lineOf(row: readonly Cell[], { indent, columns }: Line, { widths, look }: Fitting): string[] {
  const fixed = columns.filter((column) => column < widths.length - 1)
  const before = fixed.map((column) => {
    const { text, style, isRight } = row[column] ?? { text: '', style: 'reset' }
    const space = ' '.repeat((widths[column] ?? 0) - widthOf(text))
    return isRight ? `${space}${paint(style, text)}` : `${paint(style, text)}${space}`
  })
  const start = ' '.repeat(indent)
  if (fixed.length === columns.length) return [`${start}${before.join(GAP)}`.trimEnd()]
  const taken = indent + fixed.reduce((sum, column) => sum + (widths[column] ?? 0) + GAP.length, 0)
  const last = row.at(-1) ?? { text: '', style: 'reset' }
  return fitLast(last.text, look, look.columns - taken).map((text, index) => {
    const head = index === 0 ? `${start}${before.map((field) => `${field}${GAP}`).join('')}` : ' '.repeat(taken)
    return `${head}${paint(last.style, text)}`.trimEnd()
  })
}

function fitLast(text: string, { last }: TableLook, space: number): string[] {
  return last === 'wrap' ? wrapWords(text, space) : [cutToWidth(text, Math.min(space, LONGEST))]
}
