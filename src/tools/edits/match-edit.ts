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
import { findDrifted } from './indentation.ts'
import { unnumberListing, unnumberReplacement } from './listing.ts'
import { reindent } from './reindent.ts'
import { findExact, findFolded, linesAt, type TextRange } from './text-ranges.ts'

/** One requested replacement. */
export interface Edit {
  readonly old: string
  readonly new: string
  readonly replaceAll?: boolean
}

/** The matches of an edit and their replacements; `lossless` matches differ from `old` at most in line ends. */
export interface Match {
  readonly ranges: readonly TextRange[]
  readonly text: string
  readonly exact: boolean
  readonly lossless: boolean
}

/** A file in all its folded forms, each computed at first use. */
export interface FoldedFile {
  readonly text: string
  folded(form: FoldForm): Folded
}

/** The forms from least to most tolerant. Each builds on the ones before, except `plain`, which keeps trailing blanks. */
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

/** Finds the matches of an edit: exact ones, else those of the least tolerant form that has any. Undefined without a match. */
export function matchEdit(file: FoldedFile, edit: Edit): Match | undefined {
  const direct = matchText(file, edit.old, edit.new)
  if (direct) return direct
  const listing = matchListing(file, edit)
  if (listing) return listing
  const unescaped = unescapeEdit(edit)
  return unescaped && (matchText(file, unescaped.old, unescaped.new) ?? matchListing(file, unescaped))
}

/** Tries `old` as a listing with line numbers. A single line with a loose separator must carry its real line number. */
function matchListing(file: FoldedFile, { old, new: text }: { old: string; new: string }): Match | undefined {
  const listing = unnumberListing(foldLineEnds(old))
  const replacement = listing && unnumberReplacement(foldLineEnds(text), listing.separator)
  if (!listing || replacement === undefined) return undefined
  const match = matchText(file, listing.text, replacement)
  const isSure = listing.lines > 1 || listing.separator === '\t' || listing.separator === '→'
  if (!match || isSure) return match
  const [range] = match.ranges
  return range && linesAt(file.text, [range.start])[0] === listing.firstLine ? match : undefined
}

function matchText(file: FoldedFile, old: string, text: string): Match | undefined {
  const exact = findExact(file.text, old)
  if (exact.length > 0) return { ranges: exact, text, exact: true, lossless: true }
  const [lines, plain] = [foldLineEnds(old), foldLookAlikes(foldLineEnds(old))]
  const lossless = findFolded(file.folded('lineEnds'), lines, false)
  if (old.trim() === '')
    return found(
      lossless.filter(({ atOpenEnd }) => !atOpenEnd),
      text,
      true,
    )
  return (
    found(lossless, text, true) ??
    found(findTrailing(file.folded('trailing'), lines), text) ??
    matchDrift(file.folded('trailing'), lines, text) ??
    found(findFolded(file.folded('plain'), plain, false), text) ??
    found(findTrailing(file.folded('plainTrailing'), plain), text) ??
    matchDrift(file.folded('plainTrailing'), plain, text)
  )
}

function found(ranges: readonly TextRange[], text: string, lossless = false): Match | undefined {
  return ranges.length > 0 ? { ranges, text, exact: false, lossless } : undefined
}

function findTrailing(file: Folded, old: string): TextRange[] {
  return findFolded(file, foldTrailing(old), /[ \t]$/.test(old))
}

function matchDrift(file: Folded, lines: string, text: string): Match | undefined {
  const old = foldTrailing(lines)
  const ranges = findDrifted(file, old)
  const [first] = ranges
  if (!first || ranges.length > 1) return found(ranges, text)
  const indented = reindent(foldLineEnds(text), first.drift, { old, file: file.text })
  return indented === undefined ? undefined : found(ranges, indented)
}
