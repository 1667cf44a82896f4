import { messageOf } from '../core/call/result.ts'

/** Joins regular expressions into one. Throws, naming the owner, when one is invalid. An empty list matches nothing. */
export function joinPatterns(sources: readonly string[], owner: string): RegExp {
  for (const source of sources) {
    try {
      new RegExp(source, 'u')
    } catch (thrown) {
      throw new Error(`${owner}: ${JSON.stringify(source)} is not a valid regular expression: ${messageOf(thrown)}`)
    }
  }
  return new RegExp(sources.length === 0 ? '(?!)' : sources.map((source) => `(?:${source})`).join('|'), 'u')
}

/** Turns a forbidden word into a pattern: a plain word matches as a full word, anything else is a regular expression. */
export function wordPattern(word: string): string {
  return /^[\w.-]+$/.test(word) ? `(?<![\\w.-])${word.replaceAll('.', '\\.')}(?![\\w-])` : word
}
