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

/** Holds a value against a schema. The validator is compiled at the first use, ajv loaded with the first of all. */
export function checkAgainst(
  schema: JsonSchema,
  source: AnySchema,
  value: unknown,
): readonly Issue[] | Promise<readonly Issue[]> {
  const ready = validators.get(schema)
  if (ready) return ready(value)
  return makeValidator(schema, source).then((made) => {
    validators.set(schema, made)
    return made(value)
  })
}

async function makeValidator(schema: JsonSchema, source: AnySchema): Promise<Validator> {
  let validate: ValidateFunction
  try {
    validate = await compile(schema)
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

async function compile(schema: JsonSchema): Promise<ValidateFunction> {
  const ajv = await (/draft-0[467]/.test(String(schema.$schema)) ? loadDraft07() : loadDraft2020())
  const validate = ajv.compile(schema)
  ajv.removeSchema(schema)
  return validate
}

let draft07: Promise<Ajv> | undefined
let draft2020: Promise<Ajv> | undefined

function loadDraft07(): Promise<Ajv> {
  draft07 ??= import('ajv').then(({ Ajv }) => new Ajv(OPTIONS))
  return draft07
}

function loadDraft2020(): Promise<Ajv> {
  draft2020 ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => new Ajv2020(OPTIONS))
  return draft2020
}
