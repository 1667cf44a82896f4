import { foldLineEnds } from './fold.ts'

/** Lines of the wanted text that are looked for, and lines of the file that are shown. */
const LOOKED_FOR = 12
const SHOWN = 16

/** Below this likeness (0 to 1) a line is no help. */
const LIKENESS = 0.4

/** The numbers (from 1) of the file's lines that come nearest to a text that is not there, in order; none that is far off. */
export function nearestLines(file: string, wanted: string): number[] {
  const lines = foldLineEnds(file).split('\n')
  const best = foldLineEnds(wanted)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, LOOKED_FOR)
    .map((line) => mostLike(lines, line))
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

function mostLike(lines: readonly string[], wanted: string): { index: number; likeness: number } {
  const pairs = countPairs(wanted)
  let best = { index: -1, likeness: 0 }
  for (const [index, line] of lines.entries()) {
    const likeness = likenessOf(line.trim(), { text: wanted, pairs })
    if (likeness > best.likeness) best = { index, likeness }
  }
  return best
}

/** Shared pairs of letters, as a part of all pairs; 1 for equal lines. A line that contains the other is near too. */
function likenessOf(line: string, wanted: { text: string; pairs: ReadonlyMap<string, number> }): number {
  if (line === wanted.text) return 1
  if (line === '' || line.length > 2_000) return line.includes(wanted.text) ? 0.9 : 0
  const left = new Map(wanted.pairs)
  const text = `\n${line.toLowerCase()}\n`
  let shared = 0
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2)
    const count = left.get(pair) ?? 0
    if (count > 0) {
      left.set(pair, count - 1)
      shared++
    }
  }
  const likeness = (2 * shared) / (line.length + wanted.text.length + 2)
  const contains = line.length > 2 && (line.includes(wanted.text) || wanted.text.includes(line))
  return contains ? Math.max(likeness, 0.5 + likeness / 2) : likeness
}

function countPairs(line: string): Map<string, number> {
  const counts = new Map<string, number>()
  const text = `\n${line.toLowerCase()}\n`
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}
