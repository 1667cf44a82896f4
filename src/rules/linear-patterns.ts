import { RE2JS } from 're2js'
import { messageOf } from '../core/call/result.ts'
import { FULL_PATTERNS, type Matcher, type PatternEngine, PatternError, type PatternOwner } from './patterns.ts'

/** The largest program that a pattern may compile to: matching takes time in proportion to it and to the text. */
const MAX_PROGRAM = 2_000

/** The most stars in one part of a path pattern, and the most braces in all of it: the matcher for paths backtracks over them. */
const MAX_STARS = 3
const MAX_BRACES = 3
const MAX_GLOB = 500

/**
 * Patterns for the rules of a project, which nobody may have read: they run on an engine without backtracking, so that no pattern
 * makes a check hang. A pattern must be valid in JavaScript too and means the same there.
 */
export const LINEAR_PATTERNS: PatternEngine = {
  join(sources, owner) {
    FULL_PATTERNS.join(sources, owner)
    const matchers = sources.map((source, index) => compileLinear(source, { owner, index }))
    return { test: (text) => matchers.some((matcher) => matcher.test(text)) }
  },
  checkGlobs(globs, owner) {
    for (const [index, glob] of globs.entries()) {
      const problem = findGlobProblem(glob)
      if (problem !== undefined)
        throw new PatternError(owner, index, `${JSON.stringify(glob)} ${problem} in the settings of a project`)
    }
  },
}

interface PatternPlace {
  readonly owner: PatternOwner
  readonly index: number
}

function compileLinear(source: string, { owner, index }: PatternPlace): Matcher {
  const refuse = (why: string) =>
    new PatternError(owner, index, `${JSON.stringify(source)} cannot be used in the settings of a project: ${why}`)
  const unsupported = findUnsupported(source)
  if (unsupported !== undefined) throw refuse(`${unsupported} is not supported there`)
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source))
    if (compiled.programSize() > MAX_PROGRAM) throw new Error('it is too large')
    return compiled
  } catch (thrown) {
    throw refuse(messageOf(thrown).replace('error parsing regexp: ', ''))
  }
}

/** Names what needs backtracking, in the words of people who write patterns. */
function findUnsupported(source: string): string | undefined {
  const plain = source.replace(/\\[^1-9k]/gsu, '')
  if (/\\[1-9k]/.test(plain)) return 'a back reference'
  return /\(\?<?[=!]/.test(plain) ? 'look-around' : undefined
}

function findGlobProblem(glob: string): string | undefined {
  if (glob.length > MAX_GLOB) return `has more than ${MAX_GLOB} characters, which is not supported`
  if (/[@?+*!]\(/.test(glob)) return 'has alternatives in parentheses, which are not supported'
  if (/\{[^}]*\.\./.test(glob)) return 'has a range in braces, which is not supported'
  if (glob.split('{').length - 1 > MAX_BRACES) return `has more than ${MAX_BRACES} braces, which is not supported`
  const stars = glob.split('/').map((part) => (part === '**' ? 0 : part.split(/\*+/).length - 1))
  return stars.some((count) => count > MAX_STARS)
    ? `has more than ${MAX_STARS} stars between two slashes, which is not supported`
    : undefined
}
