import type { EditFailure } from './apply-edits.ts'
import { unescapeEdit } from './escapes.ts'
import { foldLineEnds } from './fold.ts'
import type { Edit } from './match-edit.ts'
import { nearestLines } from './nearest-lines.ts'
import { nearestPart } from './nearest-part.ts'
import { linesAt } from './text-ranges.ts'

/** Longer lines are cut when they are shown. */
const LINE_LENGTH = 300
const PLACES = 12

/** Explains which edit failed and why, with the numbered lines that help to fix it. `content` is the file's text, '' for a new file. */
export function describeEditFailure(failure: EditFailure, content: string, edits: readonly Edit[]): string {
  const edit = edits[failure.edit] ?? { old: '', new: '' }
  const which = edits.length > 1 ? `Edit ${failure.edit + 1} of ${edits.length}: ` : ''
  return `${which}${explain(failure, content, edit)}\nNothing was changed.`
}

function explain({ reason, ranges }: EditFailure, content: string, edit: Edit): string {
  const body = content.replace(/^\ufeff/, '')
  const starts = ranges.map(({ start }) => start)
  const lines = [...new Set(linesAt(body, starts))]
  if (reason === 'NO_CHANGE') return 'the old text and the new text are the same; there is nothing to change.'
  if (reason === 'OVERLAP') {
    return `it overlaps another edit. All edits match the original file; join edits that touch the same text.\n${numbered(body, lines)}`
  }
  if (reason === 'AMBIGUOUS' && edit.old === '') {
    return 'an empty old text is valid only in an empty or a new file. To insert, use an existing line as old, and that line with the insertion as new.'
  }
  if (reason === 'AMBIGUOUS') {
    return `the old text matches ${ranges.length} places (${listLines(lines)}). Add lines around it until it matches one, or set replaceAll to change all of them.\n${numbered(body, lines.slice(0, PLACES))}`
  }
  return `the old text was not found. Copy it from the file exactly.\n${describeNearest(body, edit)}`
}

function listLines(lines: readonly number[]): string {
  const some = lines.slice(0, PLACES).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${some}${lines.length > PLACES ? ', …' : ''}`
}

function describeNearest(body: string, edit: Edit): string {
  if (body === '') return 'The file is empty.'
  const near = nearestLines(body, edit.old)
  const meant = near.length > 0 ? near : nearestLines(body, unescapeEdit(edit)?.old ?? '')
  if (meant.length > 0) return `Nearest lines:\n${numbered(body, meant, edit.old)}`
  const long = longLineWith(body, edit.old)
  if (long !== undefined) return `Nearest part of a line:\n${numbered(body, [long], edit.old)}`
  const first = foldLineEnds(body).split('\n').slice(0, 5)
  return `No line is similar. The file begins:\n${numbered(
    body,
    first.map((_, index) => index + 1),
  )}`
}

/** Returns the first line that is too long to show in full and contains a part of the wanted text. */
function longLineWith(body: string, wanted: string): number | undefined {
  const index = foldLineEnds(body)
    .split('\n')
    .findIndex((line) => line.length > LINE_LENGTH && nearestPart(line, wanted) !== undefined)
  return index < 0 ? undefined : index + 1
}

function numbered(body: string, lines: readonly number[], wanted = ''): string {
  const all = foldLineEnds(body).split('\n')
  const width = String(lines.at(-1) ?? 1).length
  const rows = lines.filter((line) => line < all.length || all[line - 1] !== '')
  return rows.map((line) => `${String(line).padStart(width)} | ${cut(all[line - 1] ?? '', wanted)}`).join('\n')
}

/** Cuts a long line so that it shows the part nearest to the wanted text. */
function cut(line: string, wanted: string): string {
  if (line.length <= LINE_LENGTH) return line
  const start = Math.max(0, (nearestPart(line, wanted) ?? 0) - LINE_LENGTH / 3)
  const end = start + LINE_LENGTH
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`
}
