import type { Ajv, ValidateFunction } from 'ajv'
import type { JsonSchema } from '../core/json.ts'
import { messageOf } from '../core/result.ts'
import type { AnySchema } from '../core/schema.ts'
import type { Issue, RegisteredTool } from '../core/snapshot.ts'
import { isStandardSchema } from './author-schema.ts'
import { explainErrors } from './explain-errors.ts'

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
  const validate = await compile(schema, isOurs)
  const plain: Validator = (value) => (validate(value) ? FINE : explainErrors(validate.errors ?? [], value, schema))
  return isStandardSchema(given) ? withStandard(plain, given) : plain
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

const OPTIONS = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  addUsedSchema: false,
  ownProperties: true,
  logger: false,
} as const

/** For schemas of our own: neither they nor the code made of them are looked at again. */
const TRUSTING = { ...OPTIONS, validateSchema: false, meta: false, code: { optimize: false } } as const

async function compile(schema: JsonSchema, isOurs: boolean): Promise<ValidateFunction> {
  const ajv = await (isOurs ? loadTrusting() : isOld(schema) ? loadDraft07() : loadDraft2020())
  const validate = ajv.compile(schema)
  ajv.removeSchema(schema)
  return validate
}

function isOld(schema: JsonSchema): boolean {
  return /draft-0[467]/.test(String(schema.$schema))
}

let trusting: Promise<Ajv> | undefined
let draft07: Promise<Ajv> | undefined
let draft2020: Promise<Ajv> | undefined

function loadTrusting(): Promise<Ajv> {
  trusting ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => new Ajv2020(TRUSTING))
  return trusting
}

function loadDraft07(): Promise<Ajv> {
  draft07 ??= import('ajv').then(({ Ajv }) => new Ajv(OPTIONS))
  return draft07
}

function loadDraft2020(): Promise<Ajv> {
  draft2020 ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => new Ajv2020(OPTIONS))
  return draft2020
}
