import { isRecord, type JsonSchema } from '../text/json.ts'
import { type Compiling, isTooLarge, type Location, noteLoss } from './compiling.ts'
import { listOf, mergeSchemas } from './merge-schemas.ts'

/** A schema without `$ref` and `allOf` at its top, and what was followed to get it. */
export interface Flattened {
  readonly schema: JsonSchema
  readonly references: readonly string[]
}

/** Keywords that look at the same value as their schema, and so decide what counts as evaluated. */
const IN_PLACE = ['anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies', '$dynamicRef']

/** Writes out the reference of a schema and merges its `allOf`; what lies below is left as it is. Notes what is lost. */
export function flattenSchema(schema: JsonSchema, location: Location, compiling: Compiling): Flattened {
  const { $ref, allOf, ...own } = schema
  if ($ref === undefined && allOf === undefined) return { schema, references: location.references }
  if (isTooLarge(location, compiling)) return { schema: own, references: location.references }
  const { path } = location
  const parts: unknown[] = [...listOf(allOf)]
  let { references } = location
  if (typeof $ref === 'string') {
    const found = references.includes($ref) ? undefined : findReference(compiling.root, $ref)
    if (found === undefined) {
      const text = references.includes($ref)
        ? 'was written out above; any value is accepted here'
        : 'cannot be found; left out'
      noteLoss(compiling, { path, keyword: '$ref', effect: 'looser', text: `${$ref} ${text}` })
    } else {
      references = [...references, $ref]
      parts.unshift(found)
    }
  }
  const above = references
  let merged: JsonSchema = own
  for (const part of parts) {
    if (!isRecord(part)) {
      if (part === false) noteLoss(compiling, { path, keyword: 'allOf', effect: 'looser', text: 'a false is left out' })
      continue
    }
    const flat = flattenSchema(part, { ...location, references: above }, compiling)
    references = [...new Set([...references, ...flat.references])]
    const closed = closeUnevaluated(flat.schema, path, compiling)
    merged = mergeSchemas(merged, closed, (keyword) =>
      noteLoss(compiling, { path, keyword, effect: 'looser', text: 'given twice; only the first is kept' }),
    )
  }
  return { schema: merged, references }
}

/** Returns the schema that a local reference names; undefined for any other. */
function findReference(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  const steps = reference.slice(1).split('/')
  if (steps.shift() !== '') return undefined
  let found: unknown = root
  for (const step of steps) {
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(found)) found = found[Number(key)]
    else found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return isRecord(found) || typeof found === 'boolean' ? found : undefined
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** Writes `unevaluatedProperties` as `additionalProperties`, which means the same once all is merged; drops it where it does not. */
export function closeUnevaluated(schema: JsonSchema, path: string, compiling: Compiling): JsonSchema {
  if (!('unevaluatedProperties' in schema)) return schema
  const { unevaluatedProperties, ...rest } = schema
  if ('additionalProperties' in rest) return rest
  if (!IN_PLACE.some((keyword) => keyword in rest)) return { ...rest, additionalProperties: unevaluatedProperties }
  const text = 'left out beside alternatives; unknown keys are refused when the call runs'
  noteLoss(compiling, { path, keyword: 'unevaluatedProperties', effect: 'looser', text })
  return unevaluatedProperties === false ? rest : { ...rest, additionalProperties: true }
}
