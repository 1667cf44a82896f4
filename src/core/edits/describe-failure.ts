import type { EditFailure } from './apply-edits.ts'
import { unescapeEdit } from './escapes.ts'
import { foldLineEnds } from './fold.ts'
import { type Edit, lineAt } from './match-edit.ts'
import { nearestLines } from './nearest-lines.ts'

/** Longer lines are cut when they are shown. */
const LINE_LENGTH = 300
const PLACES = 12

/** Says which edit failed and why, with the numbered lines that help to mend it. `content` is the file, or '' when there is none. */
export function describeEditFailure(failure: EditFailure, content: string, edits: readonly Edit[]): string {
  const edit = edits[failure.edit] ?? { old: '', new: '' }
  const which = edits.length > 1 ? `Edit ${failure.edit + 1} of ${edits.length}: ` : ''
  return `${which}${explain(failure, content, edit)}\nNothing was changed.`
}

function explain({ reason, places }: EditFailure, content: string, edit: Edit): string {
  const body = content.replace(/^\ufeff/, '')
  const lines = [...new Set(places.map(({ start }) => lineAt(body, start)))]
  if (reason === 'NO_CHANGE')
    return 'the text to be replaced and the new text come to the same; there is nothing to change.'
  if (reason === 'OVERLAP') {
    return `its place overlaps that of another edit. All edits are matched against the file as it is; join edits that touch the same text.\n${numbered(body, lines)}`
  }
  if (reason === 'AMBIGUOUS' && edit.old === '') {
    return 'an empty old text has a place only in an empty or a new file. To insert, take a line that is there as old, and that line with the insertion as new.'
  }
  if (reason === 'AMBIGUOUS') {
    return `the old text fits ${places.length} places (${listLines(lines)}). Add lines around it until it fits one, or set replaceAll where it should change everywhere.\n${numbered(body, lines.slice(0, PLACES))}`
  }
  return `the old text was not found. It must be the text of the file, exactly one place of it.\n${describeNearest(body, edit)}`
}

function listLines(lines: readonly number[]): string {
  const some = lines.slice(0, PLACES).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${some}${lines.length > PLACES ? ', …' : ''}`
}

function describeNearest(body: string, edit: Edit): string {
  if (body === '') return 'The file is empty.'
  const near = nearestLines(body, edit.old)
  const meant = near.length > 0 ? near : nearestLines(body, unescapeEdit(edit)?.old ?? '')
  if (meant.length > 0) return `Nearest lines:\n${numbered(body, meant)}`
  const first = foldLineEnds(body).split('\n').slice(0, 5)
  return `No line is like it. The file begins:\n${numbered(
    body,
    first.map((_, index) => index + 1),
  )}`
}

function numbered(body: string, lines: readonly number[]): string {
  const all = foldLineEnds(body).split('\n')
  const width = String(lines.at(-1) ?? 1).length
  const rows = lines.filter((line) => line < all.length || all[line - 1] !== '')
  return rows.map((line) => `${String(line).padStart(width)} | ${cut(all[line - 1] ?? '')}`).join('\n')
}

function cut(line: string): string {
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line
}
