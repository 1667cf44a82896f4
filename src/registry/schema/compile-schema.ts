import type { Ajv, ValidateFunction } from 'ajv'
import type { JsonSchema } from '../../core/text/json.ts'

const OPTIONS = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
} as const

/** Options for Haft's own schemas, which need no validation. */
const TRUSTING = { ...OPTIONS, validateSchema: false, meta: false, code: { optimize: false } } as const

/** The draft of an author's schema: the one it names, or the newest. */
type Draft = 'draft-07' | '2019-09' | '2020-12'

/** Compiles the validator of a schema. Throws when the schema is invalid. */
export async function compileSchema(schema: JsonSchema, isOurs: boolean): Promise<ValidateFunction> {
  const { $schema, ...plain } = schema
  const draft = draftOf(String($schema))
  const ajv = await (isOurs ? loadTrusting() : namesItself(schema) ? makeAjv(draft) : loadAjv(draft))
  const validate = ajv.compile(plain)
  ajv.removeSchema(plain)
  return validate
}

function draftOf(named: string): Draft {
  if (/draft-0[467]/.test(named)) return 'draft-07'
  return named.includes('2019-09') ? '2019-09' : '2020-12'
}

/** True for a schema with an `$id`, which gets its own ajv so that its names cannot collide with others. */
function namesItself(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"$id"')
}

let trusting: Promise<Ajv> | undefined
const shared = new Map<Draft, Promise<Ajv>>()

function loadTrusting(): Promise<Ajv> {
  trusting ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => new Ajv2020(TRUSTING))
  return trusting
}

function loadAjv(draft: Draft): Promise<Ajv> {
  const ajv = shared.get(draft) ?? makeAjv(draft)
  shared.set(draft, ajv)
  return ajv
}

async function makeAjv(draft: Draft): Promise<Ajv> {
  if (draft === 'draft-07') return new (await import('ajv')).Ajv(OPTIONS)
  if (draft === '2019-09') return new (await import('ajv/dist/2019.js')).Ajv2019(OPTIONS)
  return new (await import('ajv/dist/2020.js')).Ajv2020(OPTIONS)
}
