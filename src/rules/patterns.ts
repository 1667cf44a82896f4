import { messageOf } from '../core/call/result.ts'

/** Many regular expressions as one; throws with its owner where one is none. An empty list matches nothing. */
export function joinPatterns(sources: readonly string[], owner: string): RegExp {
  for (const source of sources) {
    try {
      new RegExp(source, 'u')
    } catch (thrown) {
      throw new Error(`${owner}: ${JSON.stringify(source)} is no regular expression: ${messageOf(thrown)}`)
    }
  }
  return new RegExp(sources.length === 0 ? '(?!)' : sources.map((source) => `(?:${source})`).join('|'), 'u')
}

/** A forbidden word as a pattern: a plain word stands alone, anything else is a regular expression already. */
export function wordPattern(word: string): string {
  return /^[\w.-]+$/.test(word) ? `(?<![\\w.-])${word.replaceAll('.', '\\.')}(?![\\w-])` : word
}
