import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isRecord } from '../text/json.ts'
import type { AnySchema } from './schema.ts'
import type { Checked, Issue } from './snapshot.ts'

/** True for Standard Schemas: Zod, Valibot, ArkType and similar. */
export function isStandardSchema(schema: AnySchema): schema is StandardSchemaV1 {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return false
  return '~standard' in schema && isRecord(schema['~standard'])
}

/** Parses a value with the author's schema library; resolves to the parsed value or its issues. Rejects when the library or the author's code throws. */
export async function parseStandard(schema: StandardSchemaV1, value: unknown): Promise<Checked> {
  const outcome: unknown = await (hasSafeParse(schema) ? parseZod(schema, value) : schema['~standard'].validate(value))
  if (typeof outcome !== 'object' || outcome === null) throw new Error('its validate function returned no result')
  if ('issues' in outcome && outcome.issues) return { issues: readIssues(outcome.issues) }
  if (!('value' in outcome)) throw new Error('its validate function returned neither a value nor issues')
  return { issues: [], parsed: { value: outcome.value } }
}

interface ZodSchema extends StandardSchemaV1 {
  safeParseAsync(value: unknown): Promise<ZodOutcome>
}

type ZodOutcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly unknown[] } }

function hasSafeParse(schema: StandardSchemaV1): schema is ZodSchema {
  return (
    schema['~standard'].vendor === 'zod' && 'safeParseAsync' in schema && typeof schema.safeParseAsync === 'function'
  )
}

/** Avoids Zod's `validate`, which runs asynchronous transforms twice and drops the first promise: a rejection would end the process. */
async function parseZod(schema: ZodSchema, value: unknown): Promise<{ value: unknown } | { issues: unknown }> {
  const outcome = await schema.safeParseAsync(value)
  return outcome.success ? { value: outcome.data } : { issues: outcome.error.issues }
}

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

function readIssues(given: unknown): readonly Issue[] {
  if (!Array.isArray(given)) throw new Error('its validate function returned issues that are not a list')
  if (given.length === 0) return [{ path: [], message: 'the arguments: refused without a reason' }]
  return given.map((issue: StandardIssue) => {
    const path = (issue.path ?? [])
      .map((part) => (typeof part === 'object' ? part.key : part))
      .map((key) => (typeof key === 'number' ? key : String(key)))
    return { path, message: `${path.join('.') || 'the arguments'}: ${String(issue.message)}` }
  })
}
