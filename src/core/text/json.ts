/** A value that JSON can represent. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A JSON Schema as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** True for `{…}`: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for two equal JSON values, whatever the order of their keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((member, index) => isSameJson(member, other[index]))
  if (!isRecord(one) || !isRecord(other)) return one === other
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  )
}

/** Deeply freezes plain data and returns it. A value that is already frozen is assumed to be deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
  return value
}

/** True for an object made by `{}` or JSON.parse, in this realm or another (a vm, a test runner), or without a prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return true
  return isRecord(prototype) && Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty')
}

/** True for an array that is not an instance of a subclass. Works across realms, because `Array.prototype` is itself an array. */
export function isPlainArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && Array.isArray(Object.getPrototypeOf(value))
}

/** The most values that `isJsonValue` visits. An object that is referenced very often could make its JSON endlessly long. */
export const MAX_VALUES = 1_000_000
/** The deepest nesting that `isJsonValue` accepts. */
const MAX_DEPTH = 100

/** True if JSON represents the value unchanged. False for a Date, a Map, a function, NaN, a value that contains itself, and values that are very large or very deeply nested. */
export function isJsonValue(value: unknown): boolean {
  let left = MAX_VALUES
  const carries = (one: unknown, depth: number): boolean => {
    if (--left < 0 || depth > MAX_DEPTH) return false
    if (typeof one === 'string') return one.isWellFormed()
    if (typeof one === 'number') return Number.isFinite(one)
    if (typeof one === 'boolean' || one === null) return true
    if (isPlainArray(one)) return one.every((member) => carries(member, depth + 1))
    return isPlainObject(one) && Object.values(one).every((member) => carries(member, depth + 1))
  }
  return carries(value, 0)
}
