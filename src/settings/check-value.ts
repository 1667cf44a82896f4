import { messageOf } from '../core/call/result.ts'
import { readHost } from '../core/network/web-host.ts'
import { isRecord } from '../core/text/json.ts'
import { nearest } from '../core/text/nearest.ts'

/** A path in the settings: keys, and indexes of arrays. */
export type SettingsPath = readonly (string | number)[]

/** One problem, and where it is. */
export interface Problem {
  readonly path: SettingsPath
  readonly message: string
}

/** Reads one value; returns undefined after reporting a problem. */
export type Check<Value> = (value: unknown, path: SettingsPath, report: (problem: Problem) => void) => Value | undefined

/** Accepts one of the given words. */
export function word<Word extends string>(...words: Word[]): Check<Word> {
  return (value, path, report) => {
    const found = words.find((one) => one === value)
    if (found === undefined)
      report({ path, message: `expected ${words.map((one) => `"${one}"`).join(' or ')}, not ${shown(value)}` })
    return found
  }
}

/** Accepts a number above zero. */
export const positive: Check<number> = (value, path, report) => {
  if (typeof value === 'number' && value > 0) return value
  report({ path, message: `expected a number above 0, not ${shown(value)}` })
  return undefined
}

/** Accepts a whole number above zero. */
export const count: Check<number> = (value, path, report) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  report({ path, message: `expected a whole number above 0, not ${shown(value)}` })
  return undefined
}

/** Accepts zero and positive numbers. */
export const notNegative: Check<number> = (value, path, report) => {
  if (typeof value === 'number' && value >= 0) return value
  report({ path, message: `expected 0 or a number above it, not ${shown(value)}` })
  return undefined
}

/** Accepts the address of a server. */
export const webAddress: Check<string> = (value, path, report) => {
  if (typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
  report({ path, message: `expected an address such as "http://127.0.0.1:8080/v1", not ${shown(value)}` })
  return undefined
}

/** Accepts a host: a name, a name with `*.` for its subdomains, or an address; each with an optional port. */
export const webHost: Check<string> = (value, path, report) => {
  if (typeof value === 'string' && readHost(value) !== undefined) return value
  const message = 'expected a host such as "example.com", "*.example.com" or "127.0.0.1:8080"'
  report({ path, message: `${message}, not ${shown(value)}` })
  return undefined
}

/** Accepts a port number. */
export const port: Check<number> = (value, path, report) => {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536) return value
  report({ path, message: `expected a port from 1 to 65535, not ${shown(value)}` })
  return undefined
}

/** Accepts the address of a reverse proxy, as a browser names its origin. */
export const publicUrl: Check<string> = (value, path, report) => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  // An origin says the same of every path; a user, a path or a query would be left out without a word.
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url.origin
  report({
    path,
    message: `expected an address such as "https://haft.example.com", without a path, not ${shown(value)}`,
  })
  return undefined
}

/** Accepts a text that is not empty. */
export const text: Check<string> = (value, path, report) => {
  if (typeof value === 'string' && value !== '') return value
  report({ path, message: `expected a text, not ${shown(value)}` })
  return undefined
}

/** Accepts true or false. */
export const yesNo: Check<boolean> = (value, path, report) => {
  if (typeof value === 'boolean') return value
  report({ path, message: `expected true or false, not ${shown(value)}` })
  return undefined
}

/** Rejects a key that belongs elsewhere, with a message that says where. */
export function misplaced(message: string): Check<never> {
  return (_value, path, report) => {
    report({ path, message })
    return undefined
  }
}

/** Accepts a list; each item is read by the given check. */
export function list<Item>(check: Check<Item>): Check<readonly Item[]> {
  return (value, path, report) => {
    if (!Array.isArray(value)) {
      report({ path, message: `expected a list, not ${shown(value)}` })
      return undefined
    }
    return value.flatMap((one: unknown, index) => {
      const read = check(one, [...path, index], report)
      return read === undefined ? [] : [read]
    })
  }
}

/** Accepts one item or a list of items. */
export function oneOrMore<Item>(check: Check<Item>): Check<readonly Item[]> {
  return (value, path, report) =>
    Array.isArray(value) ? list(check)(value, path, report) : list(check)([value], path, report)
}

/** Accepts a table with any keys; each value is read by the given check. */
export function named<Item>(check: Check<Item>): Check<Readonly<Record<string, Item>>> {
  return (value, path, report) => {
    if (!isRecord(value)) {
      report({ path, message: `expected a table, not ${shown(value)}` })
      return undefined
    }
    const entries = Object.entries(value).map(([key, one]) => [key, check(one, [...path, key], report)] as const)
    return Object.fromEntries(entries.flatMap(([key, read]) => (read === undefined ? [] : [[key, read]])))
  }
}

/** Accepts a regular expression and returns its text. */
export const pattern: Check<string> = (value, path, report) => {
  const source = text(value, path, report)
  try {
    if (source !== undefined) new RegExp(source, 'u')
    return source
  } catch (thrown) {
    report({ path, message: messageOf(thrown) })
    return undefined
  }
}

/** Accepts a list of regular expressions and returns them with the global flag. */
export const patterns: Check<readonly RegExp[]> = (value, path, report) =>
  list(pattern)(value, path, report)?.map((source) => new RegExp(source, 'gu'))

/** One key of a table. */
interface Member<Value> {
  readonly key: string
  readonly check: Check<Value>
  /** The message when the key is missing and none of the `unless` keys is present. */
  readonly required?: { readonly message: string; readonly unless?: readonly string[] }
}

/** Accepts a table with only these keys; each may be absent. A misspelt required key is reported once, not also as missing. */
export function table<Shape extends object>(
  checks: { readonly [Key in keyof Shape & string]: Member<Shape[Key]> },
): Check<Partial<Shape>> {
  // Object.keys loses the key type.
  const members = Object.keys(checks) as (keyof Shape & string)[]
  const keys = members.map((member) => checks[member].key)
  return (value, path, report) => {
    if (!isRecord(value)) {
      report({ path, message: `expected a table, not ${shown(value)}` })
      return undefined
    }
    const unknown = Object.keys(value).filter((key) => !keys.includes(key))
    for (const key of unknown) report({ path: [...path, key], message: unknownKey(key, keys) })
    const meant = new Set([...Object.keys(value), ...unknown.flatMap((key) => nearest(key, keys))])
    const read: Partial<Shape> = {}
    for (const member of members) {
      const { key, check, required } = checks[member]
      if (required && ![key, ...(required.unless ?? [])].some((one) => meant.has(one)))
        report({ path, message: required.message })
      const found = Object.hasOwn(value, key) ? check(value[key], [...path, key], report) : undefined
      if (found !== undefined) read[member] = found
    }
    return read
  }
}

function unknownKey(key: string, keys: readonly string[]): string {
  const near = nearest(key, keys)
  return `unknown key. ${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known keys: ${keys.join(', ')}.`}`
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
