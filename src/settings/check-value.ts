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

/** A number that is not below zero. */
export const notNegative: Check<number> = (value, path, tell) => {
  if (typeof value === 'number' && value >= 0) return value
  tell({ path, message: `expected 0 or a number above it, not ${shown(value)}` })
  return undefined
}

/** The address of a server. */
export const webAddress: Check<string> = (value, path, tell) => {
  if (typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
  tell({ path, message: `expected an address such as "http://127.0.0.1:8080/v1", not ${shown(value)}` })
  return undefined
}

/** A port that a server can listen on. */
export const port: Check<number> = (value, path, tell) => {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536) return value
  tell({ path, message: `expected a port from 1 to 65535, not ${shown(value)}` })
  return undefined
}

/** Any text that is not empty. */
export const text: Check<string> = (value, path, tell) => {
  if (typeof value === 'string' && value !== '') return value
  tell({ path, message: `expected a text, not ${shown(value)}` })
  return undefined
}

/** A key that has no meaning yet: always wrong, and says when it will have one. */
export function later(message: string): Check<never> {
  return (_value, path, tell) => {
    tell({ path, message })
    return undefined
  }
}

/** A list, each item read by the same check. */
export function list<Item>(check: Check<Item>): Check<readonly Item[]> {
  return (value, path, tell) => {
    if (!Array.isArray(value)) {
      tell({ path, message: `expected a list, not ${shown(value)}` })
      return undefined
    }
    return value.flatMap((one: unknown, index) => {
      const read = check(one, [...path, index], tell)
      return read === undefined ? [] : [read]
    })
  }
}

/** One of something, or a list of it. */
export function oneOrMore<Item>(check: Check<Item>): Check<readonly Item[]> {
  return (value, path, tell) =>
    Array.isArray(value) ? list(check)(value, path, tell) : list(check)([value], path, tell)
}

/** A table with free keys, each value read by the same check. */
export function named<Item>(check: Check<Item>): Check<Readonly<Record<string, Item>>> {
  return (value, path, tell) => {
    if (!isRecord(value)) {
      tell({ path, message: `expected a table, not ${shown(value)}` })
      return undefined
    }
    const entries = Object.entries(value).map(([key, one]) => [key, check(one, [...path, key], tell)] as const)
    return Object.fromEntries(entries.flatMap(([key, read]) => (read === undefined ? [] : [[key, read]])))
  }
}

/** A regular expression, kept as its text. */
export const pattern: Check<string> = (value, path, tell) => {
  const source = text(value, path, tell)
  try {
    if (source !== undefined) new RegExp(source, 'u')
    return source
  } catch (thrown) {
    tell({ path, message: messageOf(thrown) })
    return undefined
  }
}

/** A list of regular expressions that find every place. */
export const patterns: Check<readonly RegExp[]> = (value, path, tell) =>
  list(pattern)(value, path, tell)?.map((source) => new RegExp(source, 'gu'))

/** One key of a table. */
interface Member<Value> {
  readonly key: string
  readonly check: Check<Value>
  /** What is said where the key is missing, unless one of the keys that may stand for it is there. */
  readonly required?: { readonly message: string; readonly unless?: readonly string[] }
}

/** A table with these keys and no others; a key that is not there keeps what it is by default. One mistake is told once: a required key that is misspelt is not also missing. */
export function table<Shape extends object>(
  checks: { readonly [Key in keyof Shape & string]: Member<Shape[Key]> },
): Check<Partial<Shape>> {
  // Object.keys loses what the type says of its own keys.
  const members = Object.keys(checks) as (keyof Shape & string)[]
  const keys = members.map((member) => checks[member].key)
  return (value, path, tell) => {
    if (!isRecord(value)) {
      tell({ path, message: `expected a table, not ${shown(value)}` })
      return undefined
    }
    const unknown = Object.keys(value).filter((key) => !keys.includes(key))
    for (const key of unknown) tell({ path: [...path, key], message: unknownKey(key, keys) })
    const meant = new Set([...Object.keys(value), ...unknown.flatMap((key) => nearest(key, keys))])
    const read: Partial<Shape> = {}
    for (const member of members) {
      const { key, check, required } = checks[member]
      if (required && ![key, ...(required.unless ?? [])].some((one) => meant.has(one)))
        tell({ path, message: required.message })
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
