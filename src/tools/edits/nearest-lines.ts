import { foldLineEnds } from './fold.ts'

/** Lines of the wanted text that are looked for, and lines of the file that are shown. */
const LOOKED_FOR = 12
const SHOWN = 16

/** Letters of a line that are compared. */
const MAX_COMPARED = 1_000

/** Below this likeness (0 to 1) a line is no help. */
const LIKENESS = 0.4

/** The numbers (from 1) of the file's lines that come nearest to a text that is not there, in order; none that is far off. */
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

/** A line as it is compared: its pairs of neighbouring letters, upper and lower case alike. */
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

/** Shared pairs as a part of all pairs; 1 for equal lines. A line that contains the other is near too. */
function likenessOf(line: Pairs, wanted: Pairs): number {
  if (line.text === wanted.text) return 1
  if (line.text === '') return 0
  const likeness = (2 * countShared(line.codes, wanted.codes)) / (line.codes.length + wanted.codes.length)
  const contains = line.text.length > 2 && (line.text.includes(wanted.text) || wanted.text.includes(line.text))
  return contains ? Math.max(likeness, 0.5 + likeness * 0.4) : likeness
}

/** How many members two sorted lists have in common, each counted as often as both have it. */
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
