import { isRecord, type JsonSchema } from '../core/json.ts'

/** How long a value may be held against a schema with patterns, in milliseconds: a pattern that backtracks would hold up everybody. */
const PATTERN_TIME = 1_000

type Check = (value: unknown) => boolean

/** The same check, ended after a while where the schema has patterns; throws then. */
export async function watchPatterns(validate: Check, schema: JsonSchema): Promise<Check> {
  if (!/"pattern(Properties)?"/.test(JSON.stringify(schema))) return validate
  watched ??= import('node:vm').then(makeWatched)
  const watch = await watched
  return (value) => watch(() => validate(value))
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
