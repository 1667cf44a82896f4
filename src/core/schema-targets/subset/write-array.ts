import { isRecord, type JsonSchema } from '../../text/json.ts'
import { below, type Location, noteLoss } from '../compiling.ts'
import { unionOf } from '../join-alternatives.ts'
import { listOf } from '../merge-schemas.ts'
import type { KeywordPlace } from './write-keywords.ts'
import { refuse, type Writing } from './writing.ts'

/** Writes what a schema says of the items of arrays. */
export function writeArray(schema: JsonSchema, { location }: KeywordPlace, writing: Writing): JsonSchema {
  const { subset, compiling } = writing
  if (isTuple(schema) && subset.keywords.has('prefixItems')) return writeTuple(schema, location, writing)
  const items = itemsOf(schema)
  if (isTuple(schema)) {
    const text = 'all items get one schema, whatever their place; checked when the call runs'
    noteLoss(compiling, { path: location.path, keyword: 'prefixItems', effect: 'looser', text })
  }
  if (items === undefined && !subset.needsType) return {}
  if (items === undefined && subset.requiresAll) refuse(writing, location, 'takes items of any type')
  const written = writing.write(items ?? true, below(location, null))
  if (written !== undefined) return { items: written }
  const text = 'an array that must be empty is written as one of any items; checked when the call runs'
  noteLoss(compiling, { path: location.path, keyword: 'items', effect: 'looser', text })
  const open = subset.needsType ? writing.write(true, below(location, null)) : undefined
  return open === undefined ? {} : { items: open }
}

/** Writes a list whose items have a schema each. */
function writeTuple(schema: JsonSchema, location: Location, writing: Writing): JsonSchema {
  const { first, rest } = placesOf(schema)
  const write = (item: unknown) => writing.write(item, below(location, null)) ?? false
  return { prefixItems: first.map(write), ...(rest !== undefined && { items: write(rest) }) }
}

/** The schemas of the first items of a tuple, and the one of the rest. */
function placesOf({ items, prefixItems, additionalItems }: JsonSchema): { first: readonly unknown[]; rest: unknown } {
  if (Array.isArray(items)) return { first: items, rest: additionalItems }
  return { first: listOf(prefixItems), rest: items }
}

function isTuple({ items, prefixItems }: JsonSchema): boolean {
  return Array.isArray(items) || Array.isArray(prefixItems)
}

/** One schema for all items of an array, those of a tuple too; undefined where any item will do. */
function itemsOf(schema: JsonSchema): unknown {
  if (!isTuple(schema)) return schema.items
  const { first, rest } = placesOf(schema)
  const all = [...first, rest ?? true].filter((item) => item !== false)
  if (all.length === 0) return false
  const described = all.filter(isRecord)
  return described.length === all.length ? unionOf(described) : undefined
}
