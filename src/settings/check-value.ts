import { isRecord } from '../core/json.ts'
import { nearest } from '../core/nearest.ts'
import { messageOf } from '../core/result.ts'

/** Where in the settings something stands: keys, and positions in arrays. */
export type SettingsPath = readonly (string | number)[]

/** One thing that is wrong, and where. */
export interface Problem {
  readonly path: SettingsPath
  readonly message: string
}

/** Reads one value: gives what it means, or undefined after it has told what is wrong. */
export type Check<Value> = (value: unknown, path: SettingsPath, tell: (problem: Problem) => void) => Value | undefined

/** One of the given words. */
export function word<Word extends string>(...words: Word[]): Check<Word> {
  return (value, path, tell) => {
    const found = words.find((one) => one === value)
    if (found === undefined)
      tell({ path, message: `expected ${words.map((one) => `"${one}"`).join(' or ')}, not ${shown(value)}` })
    return found
  }
}

/** A number above zero. */
export const positive: Check<number> = (value, path, tell) => {
  if (typeof value === 'number' && value > 0) return value
  tell({ path, message: `expected a number above 0, not ${shown(value)}` })
  return undefined
}

/** A list of regular expressions. */
export const patterns: Check<readonly RegExp[]> = (value, path, tell) => {
  if (!Array.isArray(value)) {
    tell({ path, message: `expected a list of regular expressions, not ${shown(value)}` })
    return undefined
  }
  return value.flatMap((one: unknown, index) => pattern(one, [...path, index], tell) ?? [])
}

const pattern: Check<RegExp> = (value, path, tell) => {
  try {
    if (typeof value === 'string' && value !== '') return new RegExp(value, 'g')
    tell({ path, message: `expected a regular expression, not ${shown(value)}` })
  } catch (thrown) {
    tell({ path, message: messageOf(thrown) })
  }
  return undefined
}

/** A table with these keys and no others; a key that is not there keeps what it is by default. */
export function table<Shape extends object>(
  checks: { readonly [Key in keyof Shape & string]: { readonly key: string; readonly check: Check<Shape[Key]> } },
): Check<Partial<Shape>> {
  // Object.keys loses what the type says of its own keys.
  const members = Object.keys(checks) as (keyof Shape & string)[]
  const keys = members.map((member) => checks[member].key)
  return (value, path, tell) => {
    if (!isRecord(value)) {
      tell({ path, message: `expected a table, not ${shown(value)}` })
      return undefined
    }
    for (const key of Object.keys(value))
      if (!keys.includes(key)) tell({ path: [...path, key], message: unknownKey(key, keys) })
    const read: Partial<Shape> = {}
    for (const member of members) {
      const { key, check } = checks[member]
      const found = Object.hasOwn(value, key) ? check(value[key], [...path, key], tell) : undefined
      if (found !== undefined) read[member] = found
    }
    return read
  }
}

function unknownKey(key: string, keys: readonly string[]): string {
  const near = nearest(key, keys)
  return `there is no such key. ${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There is ${keys.join(', ')}.`}`
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? `"${value}"`
    : Array.isArray(value)
      ? 'a list'
      : isRecord(value)
        ? 'a table'
        : String(value)
}
