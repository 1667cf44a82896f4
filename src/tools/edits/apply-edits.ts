import { type Edit, foldFile, type Match, matchEdit } from './match-edit.ts'
import type { TextRange } from './text-ranges.ts'

/** The reason why edits were not applied. */
export type EditFailureReason = 'NOT_FOUND' | 'AMBIGUOUS' | 'NO_CHANGE' | 'OVERLAP'

/** Which edit failed (counted from 0), why, and the ranges of the file that it concerns. */
export interface EditFailure {
  readonly ok: false
  readonly reason: EditFailureReason
  readonly edit: number
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
}

/** The content after all edits, or the first edit that failed. Never a partial result. */
export type EditOutcome = { readonly ok: true; readonly content: string } | EditFailure

/** A text that replaces a range. */
interface Replacement extends TextRange {
  readonly edit: number
  readonly text: string
}

const BOM = '\ufeff'

/** Applies edits to a text (null for a new file). All edits match the original text; all are applied or none. Pure. */
export function applyEdits(content: string | null, edits: readonly Edit[]): EditOutcome {
  const bom = content?.startsWith(BOM) ? BOM : ''
  const body = (content ?? '').slice(bom.length)
  const file = foldFile(body)
  const ends = { crlf: body.includes('\r\n'), lf: /(?<!\r)\n/.test(body) }
  const replacements: Replacement[] = []
  for (const [index, edit] of edits.entries()) {
    if (edit.old === edit.new) return failed('NO_CHANGE', index)
    const outcome = edit.old === '' ? fillEmpty(body, edit) : fitEdit(file, withoutBom(edit, body))
    if ('reason' in outcome) return failed(outcome.reason, index, outcome.ranges)
    for (const range of outcome.ranges) {
      replacements.push({ ...range, edit: index, text: textFor(body, range, { edit, match: outcome, ends }) })
    }
  }
  replacements.sort((a, b) => a.start - b.start || a.end - b.end)
  const clash = replacements.find((next, index) => overlaps(replacements[index - 1], next))
  if (clash) return failed('OVERLAP', clash.edit, [clash])
  const result = bom + replace(body, replacements)
  return result === (content ?? '') ? failed('NO_CHANGE', 0) : { ok: true, content: result }
}

function failed(reason: EditFailureReason, edit: number, ranges: EditFailure['ranges'] = []): EditFailure {
  return { ok: false, reason, edit, ranges }
}

type Fitted = Match | { readonly reason: EditFailureReason; readonly ranges: readonly TextRange[] }

/** Matches an empty `old`, which is valid only in an empty file. */
function fillEmpty(body: string, { new: text }: Edit): Fitted {
  if (body !== '') return { reason: 'AMBIGUOUS', ranges: [] }
  return { ranges: [{ start: 0, end: 0, atOpenEnd: false }], text, exact: true, lossless: true }
}

function fitEdit(file: ReturnType<typeof foldFile>, edit: Edit): Fitted {
  const match = matchEdit(file, edit)
  if (!match) return { reason: 'NOT_FOUND', ranges: [] }
  if (match.ranges.length === 1) return match
  if (edit.replaceAll && match.lossless) return { ...match, ranges: apart(match.ranges) }
  return { reason: 'AMBIGUOUS', ranges: match.ranges }
}

/** Removes a byte order mark from an edit: it belongs to the file, so an edit need not include it and cannot add one. */
function withoutBom(edit: Edit, body: string): Edit {
  if (!edit.old.startsWith(BOM) || body.includes(edit.old)) return edit
  return { ...edit, old: edit.old.slice(1), new: edit.new.startsWith(BOM) ? edit.new.slice(1) : edit.new }
}

/** Returns the matches from the left, without those that overlap an earlier one. */
function apart(ranges: readonly TextRange[]): TextRange[] {
  const kept: TextRange[] = []
  for (const range of ranges) if (range.start >= (kept.at(-1)?.end ?? 0)) kept.push(range)
  return kept
}

/** True for ranges that share a character, and for two empty ranges at one offset, whose order is undefined. */
function overlaps(before: Replacement | undefined, next: Replacement): boolean {
  if (before === undefined) return false
  return next.start < before.end || (next.start === before.start && next.end === before.end)
}

/** The line endings of a text. */
interface LineEnds {
  readonly crlf: boolean
  readonly lf: boolean
}

function textFor(
  body: string,
  range: TextRange,
  { edit, match, ends }: { edit: Edit; match: Match; ends: LineEnds },
): string {
  const text = range.atOpenEnd ? match.text.replace(/\r?\n$/, '') : match.text
  if (ends.crlf !== ends.lf) return text.replace(/\r\n|\n/g, ends.crlf ? '\r\n' : '\n')
  if (!ends.crlf || (match.exact && edit.old.includes('\r\n'))) return text
  return text.replace(/\r\n|\n/g, lineEndNear(body, range.start))
}

/** Returns the line ending nearest to an offset, for a file with mixed line endings. */
function lineEndNear(body: string, offset: number): string {
  const next = body.indexOf('\n', offset)
  const near = next >= 0 ? next : body.lastIndexOf('\n')
  return body[near - 1] === '\r' ? '\r\n' : '\n'
}

function replace(body: string, replacements: readonly Replacement[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text } of replacements) {
    pieces.push(body.slice(at, start), text)
    at = end
  }
  return pieces.join('') + body.slice(at)
}
