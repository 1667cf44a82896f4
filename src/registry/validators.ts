import type { Ajv, ValidateFunction } from 'ajv'
import type { JsonSchema } from '../core/json.ts'
import { messageOf } from '../core/result.ts'
import type { AnySchema } from '../core/schema.ts'
import type { Issue } from '../core/snapshot.ts'
import { explainErrors } from './explain-errors.ts'
import { isStandardSchema } from './input-schema.ts'

/** Says what is wrong with a value; empty when nothing is. */
export type Validator = (value: unknown) => readonly Issue[] | Promise<readonly Issue[]>

const FINE: readonly Issue[] = Object.freeze([])
const validators = new WeakMap<JsonSchema, Validator>()

/** What a validator is made of. */
export interface ValidatorSource {
  readonly schema: JsonSchema
  /** What the author gave. */
  readonly given: AnySchema
  /** True for a schema of Haft's own, which a test has held against the rules of schemas: that takes longer than all the rest. */
  readonly isOurs: boolean
}

/** The validator of a schema, where it was made before. */
export function findValidator(schema: JsonSchema): Validator | undefined {
  return validators.get(schema)
}

/** Makes the validator of a schema and keeps it; ajv is loaded with the first of all. */
export async function makeValidator(source: ValidatorSource): Promise<Validator> {
  const made = await compileValidator(source)
  validators.set(source.schema, made)
  return made
}

async function compileValidator({ schema, given: source, isOurs }: ValidatorSource): Promise<Validator> {
  let validate: ValidateFunction
  try {
    validate = await compile(schema, isOurs)
  } catch (thrown) {
    const issue: Issue = {
      path: [],
      message: `the tool cannot be called, its own schema is broken: ${messageOf(thrown)}`,
    }
    return () => [issue]
  }
  const plain: Validator = (value) => (validate(value) ? FINE : explainErrors(validate.errors ?? [], value, schema))
  return isStandardSchema(source) ? withStandard(plain, source) : plain
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
