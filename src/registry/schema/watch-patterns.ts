import { isRecord, type JsonSchema } from '../../core/text/json.ts'

/** The time limit of validation with patterns, in milliseconds; a backtracking pattern would block the process. */
const PATTERN_TIME = 1_000

type Check = (value: unknown) => boolean

/** Adds a time limit to a check when the schema has patterns that may take long; the check then throws. The limit costs half a millisecond a check. */
export async function watchPatterns(validate: Check, schema: JsonSchema): Promise<Check> {
  if (patternsIn(schema).every(isQuick)) return validate
  watched ??= import('node:vm').then(makeWatched)
  const watch = await watched
  return (value) => watch(() => validate(value))
}

/** Returns every pattern in a schema. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([keyword, given]) => {
    if (keyword === 'pattern' && typeof given === 'string') return [given]
    const keys = keyword === 'patternProperties' && isRecord(given) ? Object.keys(given) : []
    return [...keys, ...patternsIn(given)]
  })
}

/** True for a pattern that runs in linear time: anchored at the start, without alternatives or long counts, and with at most one part of variable length. */
function isQuick(pattern: string): boolean {
  if (/\\[1-9k]|\(\?/.test(pattern)) return false
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x')
  const varying = plain.match(/[*+?|]|\{\d+,\d*\}/g) ?? []
  if (/\)[*+?{]|\{\d{3}/.test(plain) || varying.length > 1) return false
  return varying.length === 0 || (plain.startsWith('^') && varying[0] !== '|')
}

let watched: Promise<(check: () => boolean) => boolean> | undefined

/** Runs a function inside a script, because only scripts can be given a time limit. */
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
      throw new Error(`a pattern in it took longer than ${PATTERN_TIME} ms`)
    }
  }
}

function isTimeout(thrown: unknown): boolean {
  return isRecord(thrown) && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
