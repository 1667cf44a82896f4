/** A value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A JSON Schema as plain data: what we store, show and export. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** True for `{…}`: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Freezes plain data all the way down and returns it; data that is frozen already is trusted to be so below. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
  return value
}
