import { isRecord, type JsonSchema } from '../../core/text/json.ts'

/** How long a value may be held against a schema with patterns, in milliseconds: a pattern that backtracks would hold up everybody. */
const PATTERN_TIME = 1_000

type Check = (value: unknown) => boolean

/** The same check; ended after a while, and then it throws, where the schema has patterns that may take long. Watching costs half a millisecond a check. */
export async function watchPatterns(validate: Check, schema: JsonSchema): Promise<Check> {
  if (patternsIn(schema).every(isQuick)) return validate
  watched ??= import('node:vm').then(makeWatched)
  const watch = await watched
  return (value) => watch(() => validate(value))
}

/** Every pattern in a schema, whatever it is said of. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([keyword, given]) => {
    if (keyword === 'pattern' && typeof given === 'string') return [given]
    const keys = keyword === 'patternProperties' && isRecord(given) ? Object.keys(given) : []
    return [...keys, ...patternsIn(given)]
  })
}

/** True for a pattern that reads each character about once: from the start, with nothing to choose between, no long count and one part at most whose length may vary. */
function isQuick(pattern: string): boolean {
  if (/\\[1-9k]|\(\?/.test(pattern)) return false
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x')
  const varying = plain.match(/[*+?|]|\{\d+,\d*\}/g) ?? []
  if (/\)[*+?{]|\{\d{3}/.test(plain) || varying.length > 1) return false
  return varying.length === 0 || (plain.startsWith('^') && varying[0] !== '|')
}

let watched: Promise<(check: () => boolean) => boolean> | undefined

/** Only what a script of this module runs can be ended from outside; it calls whatever it is given. */
function makeWatched({ createContext, Script }: typeof import('node:vm')): (check: () => boolean) => boolean {
  const place = { check: () => true }
  const script = new Script('check()')
  createContext(place)
  return (check) => {
    place.check = check
    try {
      return script.runInContext(place, { timeout: PATTERN_TIME })
    } catch (thrown) {
      if (!isTimeout(thrown)) throw thrown
      throw new Error(`a pattern in it came to no end within ${PATTERN_TIME} ms`)
    }
  }
}

function isTimeout(thrown: unknown): boolean {
  return isRecord(thrown) && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
