import type { Ajv, ValidateFunction } from 'ajv'
import { isRecord, type JsonSchema } from '../../core/text/json.ts'

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
  const { $schema, ...written } = schema
  const plain = isOurs ? written : rewrite(written)
  const draft = draftOf(String($schema))
  const ajv = await (isOurs ? loadTrusting() : namesItself(schema) ? makeAjv(draft) : loadAjv(draft))
  const validate = ajv.compile(plain)
  ajv.removeSchema(plain)
  return validate
}

/** Keywords that hold schemas by name, and those that hold values. */
const SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const VALUES = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** Writes what ajv refuses or passes over in words that it takes: the limits of draft-04, an empty list of values, a property named `__proto__`. */
function rewrite(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rewriteAny = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(rewriteAny) : isRecord(value) ? rewrite(value) : value
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (VALUES.has(keyword)) return [keyword, value]
    const isNamed = SCHEMAS.has(keyword) && isRecord(value)
    const named = isNamed ? Object.entries(value).map(([name, one]) => [name, rewriteAny(one)]) : []
    return [keyword, isNamed ? Object.fromEntries(named) : rewriteAny(value)]
  })
  const made: Record<string, unknown> = Object.fromEntries(entries)
  for (const [limit, exclusive] of LIMITS) {
    if (typeof made[exclusive] !== 'boolean') continue
    const isExclusive = made[exclusive] && made[limit] !== undefined
    if (isExclusive) made[exclusive] = made[limit]
    delete made[isExclusive ? limit : exclusive]
  }
  if (Array.isArray(made.enum) && made.enum.length === 0) {
    delete made.enum
    made.allOf = [...(Array.isArray(made.allOf) ? made.allOf : []), { not: {} }]
  }
  if (isRecord(made.properties) && Object.hasOwn(made.properties, '__proto__')) {
    const value = Object.getOwnPropertyDescriptor(made.properties, '__proto__')?.value
    made.patternProperties = { ...(isRecord(made.patternProperties) && made.patternProperties), '^__proto__$': value }
  }
  return made
}

const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

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
