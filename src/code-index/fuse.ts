import type { Piece, Ranked } from './postings.ts'

/** How much the first places count more than later ones; the usual value. */
const SMOOTHING = 60

/** Fuses rankings by reciprocal rank: what is high in both comes first, and their scores need not be comparable. */
export function fuseRankings(rankings: readonly (readonly Ranked[])[]): readonly Ranked[] {
  const scores = new Map<Piece, number>()
  for (const ranking of rankings)
    for (const [place, { piece }] of ranking.entries())
      scores.set(piece, (scores.get(piece) ?? 0) + 1 / (SMOOTHING + place + 1))
  return [...scores].map(([piece, score]) => ({ piece, score })).sort((a, b) => b.score - a.score)
}
