import type { StandardSchemaV1 } from '@standard-schema/spec'
import { messageOf } from '../../core/call/result.ts'
import type { JsonSchema } from '../../core/text/json.ts'
import { isStandardSchema, parseStandard } from '../../core/tool/parse-standard.ts'
import type { AnySchema } from '../../core/tool/schema.ts'
import type { Checked, RegisteredTool } from '../../core/tool/snapshot.ts'
import { compileSchema } from './compile-schema.ts'
import { explainErrors } from './explain-errors.ts'
import { watchPatterns } from './watch-patterns.ts'

/** Validates a value against one schema. */
export type Validator = (value: unknown) => Checked | Promise<Checked>

const FINE: Checked = Object.freeze({ issues: Object.freeze([]) })
const validators = new WeakMap<JsonSchema, Validator>()

/** Returns the validator of a schema if it exists. */
export function findValidator(schema: JsonSchema): Validator | undefined {
  return validators.get(schema)
}

/** Makes and keeps the validators of a tool's schemas; loads ajv for the first one. */
export async function makeValidators(entry: RegisteredTool): Promise<ReadonlyMap<JsonSchema, Validator>> {
  const made = await compileValidators(entry)
  for (const [schema, validator] of made) validators.set(schema, validator)
  return made
}

/** Makes all validators reject when one schema is broken, so that a tool does not run only to have its result refused. */
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

/** Compiles a schema. Haft's own schemas are not checked again: a test does that, and it would take most of the time. */
async function compileValidator(schema: JsonSchema, given: AnySchema, isOurs: boolean): Promise<Validator> {
  const validate = await compileSchema(schema, isOurs)
  const fits = isOurs ? validate : await watchPatterns(validate, schema)
  const plain: Validator = (value) =>
    fits(value) ? FINE : { issues: explainErrors(validate.errors ?? [], value, schema) }
  return harmless(isStandardSchema(given) ? withStandard(plain, given) : plain)
}

/** Wraps a validator so that an exception becomes an issue: a value that cannot be checked is refused. */
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

/** Validates with the Standard Schema after its JSON Schema, since it may have refinements, defaults and transforms. */
function withStandard(plain: Validator, schema: StandardSchemaV1): Validator {
  return async (value) => {
    const checked = await plain(value)
    return checked.issues.length > 0 ? checked : parseStandard(schema, value)
  }
}
