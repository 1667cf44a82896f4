import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonSchema } from '../core/json.ts'
import { isStandardSchema, parseStandard } from '../core/parse-standard.ts'
import { messageOf } from '../core/result.ts'
import type { AnySchema } from '../core/schema.ts'
import type { Checked, RegisteredTool } from '../core/snapshot.ts'
import { compileSchema } from './compile-schema.ts'
import { explainErrors } from './explain-errors.ts'
import { watchPatterns } from './watch-patterns.ts'

/** Holds a value against one schema. */
export type Validator = (value: unknown) => Checked | Promise<Checked>

const FINE: Checked = Object.freeze({ issues: Object.freeze([]) })
const validators = new WeakMap<JsonSchema, Validator>()

/** The validator of a schema, where it was made before. */
export function findValidator(schema: JsonSchema): Validator | undefined {
  return validators.get(schema)
}

/** Makes the validators of a tool's schemas and keeps them; ajv is loaded with the first of all. */
export async function makeValidators(entry: RegisteredTool): Promise<ReadonlyMap<JsonSchema, Validator>> {
  const made = await compileValidators(entry)
  for (const [schema, validator] of made) validators.set(schema, validator)
  return made
}

/** A tool with one broken schema takes nothing: it shall not run only to have its result refused. */
async function compileValidators({
  tool,
  parameters,
  output,
  origin,
}: RegisteredTool): Promise<Map<JsonSchema, Validator>> {
  const given = new Map([[parameters, tool.input]])
  if (output && tool.output) given.set(output, tool.output)
  try {
    const made = new Map<JsonSchema, Validator>()
    for (const [schema, source] of given)
      made.set(schema, await compileValidator(schema, source, origin === 'built-in'))
    return made
  } catch (thrown) {
    const message = `the tool cannot be called, its own schema is broken: ${messageOf(thrown)}`
    return new Map([...given.keys()].map((schema) => [schema, () => ({ issues: [{ path: [], message }] })]))
  }
}

/** For a schema of Haft's own, which a test has held against the rules of schemas, that is not done again: it takes longer than all the rest. */
async function compileValidator(schema: JsonSchema, given: AnySchema, isOurs: boolean): Promise<Validator> {
  const validate = await compileSchema(schema, isOurs)
  const fits = isOurs ? validate : await watchPatterns(validate, schema)
  const plain: Validator = (value) =>
    fits(value) ? FINE : { issues: explainErrors(validate.errors ?? [], value, schema) }
  return harmless(isStandardSchema(given) ? withStandard(plain, given) : plain)
}

/** The same validator, with what it throws as an issue: what cannot be checked is refused. */
function harmless(validator: Validator): Validator {
  const refuse = (thrown: unknown): Checked => ({
    issues: [{ path: [], message: `the tool's own schema failed: ${messageOf(thrown)}` }],
  })
  return (value) => {
    try {
      const checked = validator(value)
      return checked instanceof Promise ? checked.catch(refuse) : checked
    } catch (thrown) {
      return refuse(thrown)
    }
  }
}

/** A Standard Schema may know more than its JSON Schema says (refinements, defaults, transforms): it has the last word. */
function withStandard(plain: Validator, schema: StandardSchemaV1): Validator {
  return async (value) => {
    const checked = await plain(value)
    return checked.issues.length > 0 ? checked : parseStandard(schema, value)
  }
}
