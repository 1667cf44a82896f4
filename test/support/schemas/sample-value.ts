import { isRecord, type JsonSchema } from '../../../src/core/text/json.ts'

const LEAVES = [null, true, 0, 1, 2, 1.5, -1, '', 'a', 'b', 'ab', 'abab']

/** Returns numbers from 0 to 1 that depend on the seed alone. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** What values are made from. */
interface Source {
  /** What `#` refers to. */
  readonly root: JsonSchema
  readonly random: () => number
}

/** Makes a value that a schema may accept: likely enough to try many, and wrong often enough to try both ways. */
export function sampleValue(schema: unknown, source: Source, depth = 0): unknown {
  const { root, random } = source
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const sample = (part: unknown) => sampleValue(part, source, depth + 1)
  if (!isRecord(schema) || depth > 5 || random() < 0.05) return pick(LEAVES)
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return sample(isRecord(root.$defs) ? root.$defs[name] : {})
  }
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return pick(schema.enum)
  const unions = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray)
  const chosen = unions.length > 0 && random() < 0.7 ? sample(pick(pick(unions) ?? [])) : undefined
  const type = pick([schema.type].flat()) ?? (isRecord(schema.properties) ? 'object' : undefined)
  if (type === 'object') return { ...sampleObject(schema, { random, sample }), ...(isRecord(chosen) ? chosen : {}) }
  if (chosen !== undefined) return chosen
  if (type === 'array') {
    const items = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : [schema.items, schema.items].slice(random() * 3)
    return items.map(sample)
  }
  const fits = LEAVES.filter((leaf) => typeOf(leaf, type))
  return pick(fits.length > 0 ? fits : LEAVES)
}

interface Sampling {
  readonly random: () => number
  sample(part: unknown): unknown
}

function sampleObject({ properties, required }: JsonSchema, { random, sample }: Sampling): object {
  const wanted = Array.isArray(required) ? required.map(String) : []
  const known = isRecord(properties) ? properties : {}
  const names = [...new Set([...wanted, ...Object.keys(known)])]
  const kept = names.filter((name) => wanted.includes(name) || random() < 0.5)
  const extra = random() < 0.15 ? [['c', 'a']] : []
  return Object.fromEntries([...kept.map((name) => [name, sample(known[name])]), ...extra])
}

function typeOf(value: unknown, type: unknown): boolean {
  if (type === undefined) return true
  if (value === null) return type === 'null'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
