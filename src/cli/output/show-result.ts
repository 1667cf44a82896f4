import type { Result, Success } from '../../core/call/result.ts'
import { styleOfDiff } from '../../core/terminal/style.ts'
import { widthOf } from '../../core/terminal/text-width.ts'
import { sizeText } from '../../core/text/file-listing.ts'
import { isRecord } from '../../core/text/json.ts'
import { printableLine } from '../../core/text/printable.ts'
import { columnsOf, paint } from '../terminal/front-end.ts'
import { relativeTime } from '../terminal/relative-time.ts'

/** Formats a result for a person: listings as tables, diffs and search hits in colour, all else as plain text. Decides by the shape of the data, not by the tool. */
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

/** Formats the result of a dry run. */
export function showDryRun(dryRun: Result): string {
  const head = paint('dim', 'dry run')
  if (!dryRun.ok) return `${head}  ${paint('red', dryRun.code)} ${paint('reset', dryRun.text)}`
  return `${head}  nothing was applied\n${showResult(dryRun)}`
}

/** Colours a unified diff. */
export function showDiff(diff: string): string {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => paint(styleOfDiff(line), line))
    .join('\n')
}

interface Row {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly modified: string
}

/** Returns the rows of a listing; undefined if the data is something else or empty. */
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
  const available = Math.min(60, Math.max(LEAST_NAME, columnsOf(process.stdout) - FACTS))
  const width = Math.min(available, Math.max(...cells.map(({ name }) => widthOf(name))))
  return cells.map(({ name, style, size, time }) => {
    const left = width - widthOf(name)
    const space = left < 0 ? `\n${' '.repeat(width)}` : ' '.repeat(left)
    return `${paint(style, name)}${space}  ${size.padStart(8)}  ${paint('dim', time)}`
  })
}

/** The width of the size and time columns. A name that leaves less space gets its own line. */
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

/** Returns the note at the end of the text, such as that more entries exist. */
function notesOf(text: string): string[] {
  const last = text.split('\n').at(-1) ?? ''
  return last.startsWith('[') ? [paint('dim', last)] : []
}
