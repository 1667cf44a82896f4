import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Route } from '../../core/api/route.ts'
import { isRecord } from '../../core/text/json.ts'
import { objectSchema, type Shape } from '../../core/tool/schema.ts'
import { HttpError } from './http-error.ts'

/** The parts of a request, as they came. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  /** Undefined where there is none. */
  readonly query: URLSearchParams | undefined
  readonly body: unknown
}

/** Checks a request against its route and returns all its members as one object. Rejects with HttpError. */
export type CheckInput = (raw: RawInput) => Promise<Readonly<Record<string, unknown>>>

/** Makes the check of a route. Validators are compiled at its first request. */
export function createInputCheck({ params = {}, query = {}, body }: Route): CheckInput {
  const hasParams = Object.keys(params).length > 0
  let checks: Promise<(where: Where, value: unknown) => Record<string, unknown>> | undefined
  return async (raw) => {
    checks ??= compile({ params, query, body: body ?? {} })
    const check = await checks
    return {
      ...(hasParams && check('params', raw.params)),
      ...check('query', raw.query ? readQuery(raw.query, query) : {}),
      ...(body && check('body', raw.body === undefined ? {} : raw.body)),
    }
  }
}

type Where = 'params' | 'query' | 'body'

async function compile(shapes: Readonly<Record<Where, Shape>>) {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateFormats: false, logger: false })
  const validators = new Map<Where, ValidateFunction>(
    Object.entries(shapes).map(([where, shape]) => [where as Where, ajv.compile(objectSchema(shape))]),
  )
  return (where: Where, value: unknown): Record<string, unknown> => {
    const validate = validators.get(where)
    if (!isRecord(value)) throw new HttpError('INVALID_ARGUMENTS', 'The body must be a JSON object.')
    if (validate?.(value)) return value
    throw new HttpError('INVALID_ARGUMENTS', explain(where, validate?.errors?.[0]))
  }
}

const PLACE: Readonly<Record<Where, string>> = { params: 'path', query: 'query', body: 'body' }

function explain(where: Where, error: ErrorObject | undefined): string {
  const at = error?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const what = at === '' ? `The ${PLACE[where]}` : `${at} in the ${PLACE[where]}`
  const { additionalProperty, allowedValues } = error?.params ?? {}
  if (typeof additionalProperty === 'string') return `${what} must not have ${JSON.stringify(additionalProperty)}.`
  if (Array.isArray(allowedValues)) return `${what} must be one of ${allowedValues.join(', ')}.`
  return `${what} ${error?.message ?? 'is invalid'}.`
}

/** Turns the texts of a query into the types that the route wants. A name that is given twice is refused. */
function readQuery(query: URLSearchParams, shape: Shape): Record<string, unknown> {
  const read: Record<string, unknown> = Object.create(null)
  for (const [name, text] of query) {
    if (name in read) throw new HttpError('INVALID_ARGUMENTS', `${JSON.stringify(name)} is given twice in the query.`)
    read[name] = convert(text, Object.hasOwn(shape, name) ? shape[name] : undefined)
  }
  return { ...read }
}

function convert(text: string, property: Shape[string] | undefined): unknown {
  const optional: unknown = property?.optional
  const schema: { readonly type?: unknown } = isRecord(optional) ? optional : { ...property }
  if (schema.type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text)
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
