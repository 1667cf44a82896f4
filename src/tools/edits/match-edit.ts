import { unescapeEdit } from './escapes.ts'
import {
  type Folded,
  foldFileLineEnds,
  foldFileLookAlikes,
  foldFileTrailing,
  foldLineEnds,
  foldLookAlikes,
  foldTrailing,
} from './fold.ts'
import { driftPlaces } from './indentation.ts'
import { unnumberListing, unnumberReplacement } from './listing.ts'
import { exactPlaces, foldedPlaces, linesAt, type Place } from './places.ts'
import { reindent } from './reindent.ts'

/** One replacement as it is asked for. */
export interface Edit {
  readonly old: string
  readonly new: string
  readonly replaceAll?: boolean
}

/** Where an edit fits and what it puts there; `lossless` places differ from `old` in line ends at most. */
export interface Match {
  readonly places: readonly Place[]
  readonly text: string
  readonly exact: boolean
  readonly lossless: boolean
}

/** A file in all its folded forms, each made when it is first needed. */
export interface FoldedFile {
  readonly text: string
  folded(form: FoldForm): Folded
}

/** Folding builds on folding: each form has what the ones before it have, but for `plain`, which keeps trailing blanks. */
type FoldForm = 'lineEnds' | 'trailing' | 'plain' | 'plainTrailing'

/** Prepares a file for matching. */
export function foldFile(text: string): FoldedFile {
  const made = new Map<FoldForm, Folded>()
  const make: Record<FoldForm, () => Folded> = {
    lineEnds: () => foldFileLineEnds(text),
    trailing: () => foldFileTrailing(folded('lineEnds')),
    plain: () => foldFileLookAlikes(folded('lineEnds')),
    plainTrailing: () => foldFileTrailing(folded('plain')),
  }
  const folded = (form: FoldForm): Folded => {
    const known = made.get(form) ?? make[form]()
    made.set(form, known)
    return known
  }
  return { text, folded }
}

/** Finds where an edit fits: exactly, else with the least tolerance that finds any place. Undefined when none does. */
export function matchEdit(file: FoldedFile, edit: Edit): Match | undefined {
  const direct = matchText(file, edit.old, edit.new)
  if (direct) return direct
  const listing = matchListing(file, edit)
  if (listing) return listing
  const unescaped = unescapeEdit(edit)
  return unescaped && (matchText(file, unescaped.old, unescaped.new) ?? matchListing(file, unescaped))
}

/** Tries `old` as a listing with line numbers. A single line with a loose separator must carry the number of its place. */
function matchListing(file: FoldedFile, { old, new: text }: { old: string; new: string }): Match | undefined {
  const listing = unnumberListing(foldLineEnds(old))
  const replacement = listing && unnumberReplacement(foldLineEnds(text), listing.separator)
  if (!listing || replacement === undefined) return undefined
  const match = matchText(file, listing.text, replacement)
  const isSure = listing.lines > 1 || listing.separator === '\t' || listing.separator === '→'
  if (!match || isSure) return match
  const [place] = match.places
  return place && linesAt(file.text, [place.start])[0] === listing.firstLine ? match : undefined
}

function matchText(file: FoldedFile, old: string, text: string): Match | undefined {
  const exact = exactPlaces(file.text, old)
  if (exact.length > 0) return { places: exact, text, exact: true, lossless: true }
  const [lines, plain] = [foldLineEnds(old), foldLookAlikes(foldLineEnds(old))]
  const lossless = foldedPlaces(file.folded('lineEnds'), lines, false)
  if (old.trim() === '')
    return found(
      lossless.filter(({ atOpenEnd }) => !atOpenEnd),
      text,
      true,
    )
  return (
    found(lossless, text, true) ??
    found(trailingPlaces(file.folded('trailing'), lines), text) ??
    matchDrift(file.folded('trailing'), lines, text) ??
    found(foldedPlaces(file.folded('plain'), plain, false), text) ??
    found(trailingPlaces(file.folded('plainTrailing'), plain), text) ??
    matchDrift(file.folded('plainTrailing'), plain, text)
  )
}

function found(places: readonly Place[], text: string, lossless = false): Match | undefined {
  return places.length > 0 ? { places, text, exact: false, lossless } : undefined
}

function trailingPlaces(file: Folded, old: string): Place[] {
  return foldedPlaces(file, foldTrailing(old), /[ \t]$/.test(old))
}

function matchDrift(file: Folded, lines: string, text: string): Match | undefined {
  const old = foldTrailing(lines)
  const places = driftPlaces(file, old)
  const [first] = places
  if (!first || places.length > 1) return found(places, text)
  const indented = reindent(foldLineEnds(text), first.drift, { old, file: file.text })
  return indented === undefined ? undefined : found(places, indented)
}
