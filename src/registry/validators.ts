import type { JsonSchema } from '../core/json.ts'
import { messageOf } from '../core/result.ts'
import type { AnySchema } from '../core/schema.ts'
import type { Issue, RegisteredTool } from '../core/snapshot.ts'
import { isStandardSchema } from './author-schema.ts'
import { compileSchema } from './compile-schema.ts'
import { explainErrors } from './explain-errors.ts'
import { watchPatterns } from './watch-patterns.ts'

/** Says what is wrong with a value; empty when nothing is. */
export type Validator = (value: unknown) => readonly Issue[] | Promise<readonly Issue[]>

const FINE: readonly Issue[] = Object.freeze([])
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
    return new Map([...given.keys()].map((schema) => [schema, () => [{ path: [], message }]]))
  }
}

/** For a schema of Haft's own, which a test has held against the rules of schemas, that is not done again: it takes longer than all the rest. */
async function compileValidator(schema: JsonSchema, given: AnySchema, isOurs: boolean): Promise<Validator> {
  const validate = await compileSchema(schema, isOurs)
  const fits = isOurs ? validate : await watchPatterns(validate, schema)
  const plain: Validator = (value) => (fits(value) ? FINE : explainErrors(validate.errors ?? [], value, schema))
  return harmless(isStandardSchema(given) ? withStandard(plain, given) : plain)
}

/** The same validator, with what it throws as an issue: what cannot be checked is refused. */
function harmless(validator: Validator): Validator {
  const refuse = (thrown: unknown) => [{ path: [], message: `the tool's own schema failed: ${messageOf(thrown)}` }]
  return (value) => {
    try {
      const issues = validator(value)
      return issues instanceof Promise ? issues.catch(refuse) : issues
    } catch (thrown) {
      return refuse(thrown)
    }
  }
}

/** A Standard Schema may know more than its JSON Schema says (refinements): it has the last word. */
function withStandard(
  plain: Validator,
  source: AnySchema & { '~standard': { validate(value: unknown): unknown } },
): Validator {
  return async (value) => {
    const issues = await plain(value)
    if (issues.length > 0) return issues
    const outcome = (await source['~standard'].validate(value)) as { issues?: readonly StandardIssue[] }
    return (outcome.issues ?? []).map((issue) => {
      const path = (issue.path ?? [])
        .map((part) => (typeof part === 'object' ? part.key : part))
        .map((key) => (typeof key === 'number' ? key : String(key)))
      return { path, message: `${path.join('.') || 'the arguments'}: ${issue.message}` }
    })
  }
}

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[]
}
