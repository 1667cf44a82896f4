import { foldLineEnds } from './fold.ts'

/** How many lines of the wanted text are searched for, and how many lines of the file are shown. */
const LOOKED_FOR = 12
const SHOWN = 16

/** How many characters of a line are compared. */
const MAX_COMPARED = 1_000

/** The least similarity (0 to 1) of a line worth showing. */
const LIKENESS = 0.4

/** Returns the numbers (from 1) of the lines most similar to a missing text, in ascending order. */
export function nearestLines(file: string, wanted: string): number[] {
  const lines = foldLineEnds(file)
    .split('\n')
    .map((line) => pairsOf(line.trim()))
  const best = foldLineEnds(wanted)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, LOOKED_FOR)
    .map((line) => mostLike(lines, pairsOf(line)))
    .filter(({ likeness }) => likeness >= LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
  const chosen = new Set<number>()
  for (const { index } of best) {
    for (const near of [index, index - 1, index + 1, index + 2]) {
      if (chosen.size < SHOWN && near >= 0 && near < lines.length) chosen.add(near + 1)
    }
  }
  return [...chosen].sort((a, b) => a - b)
}

/** A line prepared for comparison: its pairs of neighbouring characters, case ignored. */
interface Pairs {
  readonly text: string
  readonly codes: Int32Array
}

function pairsOf(line: string): Pairs {
  const letters = `\n${line.toLowerCase().slice(0, MAX_COMPARED)}\n`
  const codes = new Int32Array(letters.length - 1)
  for (let at = 0; at < codes.length; at++) codes[at] = (letters.charCodeAt(at) << 16) ^ letters.charCodeAt(at + 1)
  return { text: line, codes: codes.sort() }
}

function mostLike(lines: readonly Pairs[], wanted: Pairs): { index: number; likeness: number } {
  let best = { index: -1, likeness: 0 }
  for (const [index, line] of lines.entries()) {
    const highest = (2 * Math.min(line.codes.length, wanted.codes.length)) / (line.codes.length + wanted.codes.length)
    if (Math.max(highest, 0.9) <= best.likeness) continue
    const likeness = likenessOf(line, wanted)
    if (likeness > best.likeness) best = { index, likeness }
  }
  return best
}

/** Returns the share of common pairs, 1 for equal lines. A line that contains the other counts as similar. */
function likenessOf(line: Pairs, wanted: Pairs): number {
  if (line.text === wanted.text) return 1
  if (line.text === '') return 0
  const likeness = (2 * countShared(line.codes, wanted.codes)) / (line.codes.length + wanted.codes.length)
  const contains = line.text.length > 2 && (line.text.includes(wanted.text) || wanted.text.includes(line.text))
  return contains ? Math.max(likeness, 0.5 + likeness * 0.4) : likeness
}

/** Counts the common members of two sorted lists, repetitions included. */
function countShared(a: Int32Array, b: Int32Array): number {
  let [i, j, shared] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const order = (a[i] ?? 0) - (b[j] ?? 0)
    if (order === 0) shared++
    if (order <= 0) i++
    if (order >= 0) j++
  }
  return shared
}
