import type { Result, Success } from '../../core/call/result.ts'
import { sizeText } from '../../core/text/file-listing.ts'
import { isRecord } from '../../core/text/json.ts'
import { printableLine } from '../../core/text/printable.ts'
import { columnsOf, paint } from '../terminal/front-end.ts'
import { relativeTime } from '../terminal/relative-time.ts'
import { widthOf } from '../terminal/text-width.ts'

/** A result as people read it: listings as tables, diffs and hits in colour, the rest as the tool says it. Known by the shape of the data. */
export function showResult({ text, data }: Success, now = Date.now()): string {
  if (isRecord(data)) {
    const rows = rowsOf(data.entries) ?? rowsOf(data.files)
    if (rows) return [...table(rows, now), ...notesOf(text)].join('\n')
    const { hits } = data
    if (Array.isArray(hits) && hits.length > 0 && hits.every(isHit)) {
      return [...showHits(hits), ...notesOf(text)].join('\n')
    }
    if (typeof data.diff === 'string' && text.endsWith(data.diff)) {
      return `${paint('reset', text.slice(0, text.length - data.diff.length))}${showDiff(data.diff)}`
    }
  }
  return paint('reset', text)
}

/** What a call would have done, and that nothing of it was applied. */
export function showRehearsal(rehearsal: Result): string {
  const head = paint('dim', 'rehearsal')
  if (!rehearsal.ok) return `${head}  ${paint('red', rehearsal.code)} ${paint('reset', rehearsal.text)}`
  return `${head}  nothing was applied\n${showResult(rehearsal)}`
}

/** A unified diff in colour. */
export function showDiff(diff: string): string {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => paint(styleOfDiff(line), line))
    .join('\n')
}

/** The colour of a line of a unified diff. */
export function styleOfDiff(line: string): Parameters<typeof paint>[0] {
  if (line.startsWith('+++') || line.startsWith('---')) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : 'reset'
}

interface Row {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly modified: string
}

/** The rows of a listing that is not empty; undefined for other data. */
function rowsOf(value: unknown): Row[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const rows = value.map(readRow).filter((row) => row !== undefined)
  return rows.length === value.length ? rows : undefined
}

function readRow(value: unknown): Row | undefined {
  if (!isRecord(value)) return undefined
  const { size, modified, type = 'file' } = value
  const name = value.name ?? value.path
  const isRow = typeof name === 'string' && typeof size === 'number' && typeof modified === 'string'
  return isRow && typeof type === 'string' ? { name, type, size, modified } : undefined
}

function table(rows: readonly Row[], now: number): string[] {
  const cells = rows.map((row) => ({
    name: printableLine(row.name) + (row.type === 'directory' ? '/' : ''),
    style:
      row.type === 'directory' ? ('blue' as const) : row.type === 'symlink' ? ('cyan' as const) : ('reset' as const),
    size: row.type === 'file' ? sizeText(row.size) : row.type === 'symlink' ? 'link' : '',
    time: relativeTime(row.modified, now),
  }))
  const room = Math.min(60, Math.max(LEAST_NAME, columnsOf(process.stdout) - FACTS))
  const width = Math.min(room, Math.max(...cells.map(({ name }) => widthOf(name))))
  return cells.map(({ name, style, size, time }) => {
    const left = width - widthOf(name)
    const space = left < 0 ? `\n${' '.repeat(width)}` : ' '.repeat(left)
    return `${paint(style, name)}${space}  ${size.padStart(8)}  ${paint('dim', time)}`
  })
}

/** The columns that size and time take; names that leave less stand on a line of their own. */
const FACTS = 22
const LEAST_NAME = 12

interface Hit {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly match: boolean
}

function isHit(value: unknown): value is Hit {
  return (
    isRecord(value) &&
    typeof value.path === 'string' &&
    typeof value.line === 'number' &&
    typeof value.text === 'string'
  )
}

function showHits(hits: readonly Hit[]): string[] {
  return hits.flatMap(({ path, line, text, match }, index) => {
    const head =
      hits[index - 1]?.path === path ? [] : [...(index > 0 ? [''] : []), paint('magenta', printableLine(path))]
    return [...head, `${paint('green', `${line}${match ? ':' : '-'}`)} ${paint(match ? 'reset' : 'dim', text)}`]
  })
}

/** What the text says beside the rows: that more is left. */
function notesOf(text: string): string[] {
  const last = text.split('\n').at(-1) ?? ''
  return last.startsWith('[') ? [paint('dim', last)] : []
}
