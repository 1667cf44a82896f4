import { messageOf } from '../core/call/result.ts'

/** A compiled pattern. */
export interface Matcher {
  test(text: string): boolean
}

/** The rule that has a pattern, and the path of the member in it: `['arguments', 'path']`. */
export interface PatternOwner {
  readonly rule: string
  readonly member: readonly string[]
}

/** How the patterns of a rule are compiled. */
export interface PatternEngine {
  /** Joins regular expressions into one matcher. Throws PatternError when one is not accepted. An empty list matches nothing. */
  join(sources: readonly string[], owner: PatternOwner): Matcher
  /** Throws PatternError when a path pattern is not accepted. */
  checkGlobs(globs: readonly string[], owner: PatternOwner): void
}

/** A pattern that cannot be used. `path` is its place in the rule: `['commands', 1]`. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  readonly path: readonly (string | number)[]
  /** The message without the name of the rule. */
  readonly problem: string

  constructor(owner: PatternOwner, index: number, problem: string) {
    super(`rule "${owner.rule}": ${owner.member.join('.')}: ${problem}`)
    this.path = [...owner.member, index]
    this.problem = problem
  }
}

/** JavaScript's regular expressions and all path patterns: for rules of the user and of programs. */
export const FULL_PATTERNS: PatternEngine = {
  join(sources, owner) {
    for (const [index, source] of sources.entries()) {
      try {
        new RegExp(source, 'u')
      } catch (thrown) {
        const problem = `${JSON.stringify(source)} is not a valid regular expression: ${messageOf(thrown)}`
        throw new PatternError(owner, index, problem)
      }
    }
    return new RegExp(sources.length === 0 ? '(?!)' : sources.map((source) => `(?:${source})`).join('|'), 'u')
  },
  checkGlobs: () => undefined,
}

/** Turns a forbidden word into a pattern: a plain word matches as a full word, anything else is a regular expression. */
export function wordPattern(word: string): string {
  return /^[\w.-]+$/.test(word) ? `(?:^|[^\\w.-])${word.replaceAll('.', '\\.')}(?:$|[^\\w-])` : word
}
