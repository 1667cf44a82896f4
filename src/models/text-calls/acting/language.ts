/** Sentences of one language that say what the assistant does now, and words that make a sentence something else. */
export interface Language {
  readonly acts: RegExp
  /** Examples, questions, conditions, possibilities, records, refusals, explanations. */
  readonly other: RegExp
}

/** Joins the lines of a pattern that is written over several lines. */
export function lines(pattern: string): string {
  return pattern.trim().replace(/\s*\n\s*/g, '')
}

/** Matches any of some patterns as full words, in any script that parts words by blanks. */
export function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.map(lines).join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

/** Words at the beginning of a clause, where they begin a condition. */
export function atClauseStart(words: string): string {
  return `(?<=^|[.,;:!]\\s)(?:${words})`
}
