import { isRecord, type JsonSchema } from '../../text/json.ts'
import { type Compiling, type Location, noteLoss } from '../compiling.ts'
import { unionOf } from '../join-alternatives.ts'

/** Adds the properties that only `then` and `else` name to those of the schema, as optional ones: a model that is not shown a parameter never gives it. Where unknown keys are refused, no such property can be given anyway. */
export function showConditions(schema: JsonSchema, { path }: Location, compiling: Compiling): JsonSchema {
  if (schema.additionalProperties === false) return schema
  const own = isRecord(schema.properties) ? schema.properties : {}
  const named = new Map<string, JsonSchema[]>()
  for (const branch of [schema.then, schema.else]) {
    if (!isRecord(branch) || !isRecord(branch.properties)) continue
    for (const [name, property] of Object.entries(branch.properties))
      if (isRecord(property) && !Object.hasOwn(own, name)) named.set(name, [...(named.get(name) ?? []), property])
  }
  if (named.size === 0) return schema
  const text = `${[...named.keys()].join(', ')} can always be given, as the condition describes it; checked when the call runs`
  noteLoss(compiling, { path, keyword: 'properties', effect: 'tighter', text })
  const added = [...named].map(([name, properties]) => [name, unionOf(properties)] as const)
  return { ...schema, properties: Object.fromEntries([...Object.entries(own), ...added]) }
}
