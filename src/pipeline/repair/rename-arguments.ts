import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { followReference, type RepairedValue } from './repair.ts'

type Properties = Readonly<Record<string, unknown>>
type Aliases = NonNullable<Tool['argumentAliases']>

/**
 * Gives arguments the names of the schema, where they have another name of the same argument (`file_path` for `path`), or differ in upper case,
 * `_` or `-` alone. Puts the members of a missing list's only entry into that list. Returns undefined if there is nothing to rename.
 */
export function renameArguments(value: unknown, schema: JsonSchema, aliases: Aliases = {}): RepairedValue | undefined {
  const repairs: string[] = []
  const renamed = renameIn(value, schema, { root: schema, aliases, repairs })
  return repairs.length === 0 ? undefined : { value: renamed, repairs }
}

interface Renaming {
  readonly root: JsonSchema
  readonly aliases: Aliases
  readonly repairs: string[]
}

function renameIn(value: unknown, written: unknown, renaming: Renaming): unknown {
  const schema = followReference(written, renaming.root)
  if (!isRecord(schema)) return value
  if (Array.isArray(value)) return value.map((entry) => renameIn(entry, schema.items, renaming))
  if (!isRecord(value) || !isRecord(schema.properties)) return value
  const { properties } = schema
  const named = putIntoList(renameKeys(value, properties, renaming), schema, renaming)
  return Object.fromEntries(
    Object.entries(named).map(([key, given]) => [key, renameIn(given, properties[key], renaming)]),
  )
}

/** An argument that is there already, or would be there twice, keeps the names it was given: which one counts is unknown. */
function renameKeys(value: Properties, properties: Properties, { aliases, repairs }: Renaming): Properties {
  const find = nameFinder(properties, aliases)
  const names = Object.keys(value).map((key) => find(key) ?? key)
  const seen = new Set<string>()
  const twice = new Set(names.filter((name) => seen.size === seen.add(name).size))
  return Object.fromEntries(
    Object.entries(value).map(([key, given], index) => {
      const name = names[index] ?? key
      if (name === key || twice.has(name)) return [key, given]
      repairs.push(`read ${key} as ${name}`)
      return [name, given]
    }),
  )
}

/** Puts what a missing list of objects should hold into it: an only entry, or members that were given beside the list's place. */
function putIntoList(value: Properties, schema: JsonSchema, { aliases, repairs }: Renaming): Properties {
  const { properties, required } = schema
  if (!isRecord(properties) || !Array.isArray(required)) return value
  for (const list of required.map(String)) {
    const { [list]: property } = properties
    const items = isRecord(property) && property.type === 'array' ? property.items : undefined
    if (!isRecord(items) || !isRecord(items.properties)) continue
    if (isRecord(value[list])) {
      repairs.push(`read ${list} as a list: it was given without brackets`)
      return { ...value, [list]: [value[list]] }
    }
    const findPart = nameFinder(items.properties, aliases)
    const isPart = ([key]: [string, unknown]) => !Object.hasOwn(properties, key) && findPart(key) !== undefined
    const members = Object.entries(value).filter(isPart)
    if (Object.hasOwn(value, list) || members.length === 0) continue
    repairs.push(`put ${members.map(([key]) => key).join(', ')} into ${list}`)
    const rest = Object.entries(value).filter((entry) => !isPart(entry))
    return { ...Object.fromEntries(rest), [list]: [Object.fromEntries(members)] }
  }
  return value
}

/** Returns a function that finds the only argument that a key can mean; it returns undefined where there is none or more than one. */
function nameFinder(properties: Properties, aliases: Aliases): (key: string) => string | undefined {
  const bySpelling = new Map<string, Set<string>>()
  for (const name of Object.keys(properties))
    for (const one of [name, ...(aliases[name] ?? [])]) {
      const spelling = spell(one)
      bySpelling.set(spelling, (bySpelling.get(spelling) ?? new Set()).add(name))
    }
  return (key) => {
    if (Object.hasOwn(properties, key)) return key
    const [name, ...others] = bySpelling.get(spell(key)) ?? []
    return others.length === 0 ? name : undefined
  }
}

function spell(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}
