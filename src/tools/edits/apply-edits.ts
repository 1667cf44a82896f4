import { type Edit, foldFile, type Match, matchEdit } from './match-edit.ts'
import type { Place } from './places.ts'

/** Why edits were not applied. */
export type EditFailureReason = 'NOT_FOUND' | 'AMBIGUOUS' | 'NO_CHANGE' | 'OVERLAP'

/** Which edit failed (counted from 0), why, and the ranges of the file that it concerns. */
export interface EditFailure {
  readonly ok: false
  readonly reason: EditFailureReason
  readonly edit: number
  readonly places: readonly { readonly start: number; readonly end: number }[]
}

/** The file after all edits, or the first that failed; nothing in between. */
export type EditOutcome = { readonly ok: true; readonly content: string } | EditFailure

/** A text that goes into the place of a range. */
interface Replacement extends Place {
  readonly edit: number
  readonly text: string
}

const BOM = '\ufeff'

/** Applies edits to a text (null: there is no file yet), all matched against the original, all or nothing. Pure. */
export function applyEdits(content: string | null, edits: readonly Edit[]): EditOutcome {
  const bom = content?.startsWith(BOM) ? BOM : ''
  const body = (content ?? '').slice(bom.length)
  const file = foldFile(body)
  const ends = { crlf: body.includes('\r\n'), lf: /(?<!\r)\n/.test(body) }
  const replacements: Replacement[] = []
  for (const [index, edit] of edits.entries()) {
    if (edit.old === edit.new) return failed('NO_CHANGE', index)
    const outcome = edit.old === '' ? fillEmpty(body, edit) : fitEdit(file, withoutBom(edit, body))
    if ('reason' in outcome) return failed(outcome.reason, index, outcome.places)
    for (const place of outcome.places) {
      replacements.push({ ...place, edit: index, text: textFor(body, place, { edit, match: outcome, ends }) })
    }
  }
  replacements.sort((a, b) => a.start - b.start || a.end - b.end)
  const clash = replacements.find((next, index) => overlaps(replacements[index - 1], next))
  if (clash) return failed('OVERLAP', clash.edit, [clash])
  const result = bom + replace(body, replacements)
  return result === (content ?? '') ? failed('NO_CHANGE', 0) : { ok: true, content: result }
}

function failed(reason: EditFailureReason, edit: number, places: EditFailure['places'] = []): EditFailure {
  return { ok: false, reason, edit, places }
}

type Fitted = Match | { readonly reason: EditFailureReason; readonly places: readonly Place[] }

/** An empty `old` has a place only in an empty file. */
function fillEmpty(body: string, { new: text }: Edit): Fitted {
  if (body !== '') return { reason: 'AMBIGUOUS', places: [] }
  return { places: [{ start: 0, end: 0, atOpenEnd: false }], text, exact: true, lossless: true }
}

function fitEdit(file: ReturnType<typeof foldFile>, edit: Edit): Fitted {
  const match = matchEdit(file, edit)
  if (!match) return { reason: 'NOT_FOUND', places: [] }
  if (match.places.length === 1) return match
  if (edit.replaceAll && match.lossless) return { ...match, places: apart(match.places) }
  return { reason: 'AMBIGUOUS', places: match.places }
}

/** The mark at the start of a file is the file's: edits need not name it and cannot bring it. */
function withoutBom(edit: Edit, body: string): Edit {
  if (!edit.old.startsWith(BOM) || body.includes(edit.old)) return edit
  return { ...edit, old: edit.old.slice(1), new: edit.new.startsWith(BOM) ? edit.new.slice(1) : edit.new }
}

/** Places from the left, without those that overlap one before. */
function apart(places: readonly Place[]): Place[] {
  const kept: Place[] = []
  for (const place of places) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place)
  return kept
}

/** Ranges that share a character, or two that are empty and at one place, whose order nobody gave. */
function overlaps(before: Replacement | undefined, next: Replacement): boolean {
  if (before === undefined) return false
  return next.start < before.end || (next.start === before.start && next.end === before.end)
}

/** Which line ends a text has. */
interface LineEnds {
  readonly crlf: boolean
  readonly lf: boolean
}

function textFor(
  body: string,
  place: Place,
  { edit, match, ends }: { edit: Edit; match: Match; ends: LineEnds },
): string {
  const text = place.atOpenEnd ? match.text.replace(/\r?\n$/, '') : match.text
  if (ends.crlf !== ends.lf) return text.replace(/\r\n|\n/g, ends.crlf ? '\r\n' : '\n')
  if (!ends.crlf || (match.exact && edit.old.includes('\r\n'))) return text
  return text.replace(/\r\n|\n/g, lineEndNear(body, place.start))
}

/** In a file of both kinds, the line end that comes next. */
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
