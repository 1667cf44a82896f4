import { isRecord } from '../text/json.ts'
import {
  isReference,
  isSecretName,
  MASK,
  SECRET_LOOKS,
  SECRET_PLACES,
  SHORTEST_TOKEN,
  SUSPECT,
  TOKEN_SUSPECT,
} from './secret-patterns.ts'

/** A value with its secrets masked; the same object if it has none. */
export interface Masked<Value> {
  readonly value: Value
  /** The secrets that were found, so that they can be masked where the call repeats them. */
  readonly secrets: readonly string[]
}

const NONE: readonly string[] = []
/** True for a secret that is distinctive enough to search for elsewhere. Others are only masked in place, because they would match ordinary words. */
const isTelling = (secret: string) => secret.length >= 12 || (secret.length >= 6 && /[^A-Za-z]/.test(secret))

/** Masks keys, tokens and passwords in plain data: by their form, by the text before them, by the name of the member, and by the given patterns. */
export function maskSecrets<Value>(value: Value, patterns: readonly RegExp[] = []): Masked<Value> {
  if (typeof value === 'string' && patterns.length === 0 && !SUSPECT.test(value)) return { value, secrets: NONE }
  const found: string[] = []
  // Masking keeps the shape: strings stay strings, members stay members.
  const masked = maskAny(value, patterns, found) as Value
  if (masked === value) return { value, secrets: NONE }
  return { value: masked, secrets: found.filter(isTelling) }
}

/** Masks in plain data only what has the form of a token or matches one of the patterns. For outputs and messages, where source code must stay readable. Returns the same object if nothing is masked. */
export function maskTokens<Value>(value: Value, patterns: readonly RegExp[] = []): Value {
  if (patterns.length === 0) return mapStrings(value, maskTokenForms) as Value
  // Masking keeps the shape: strings stay strings, members stay members.
  return mapStrings(value, (text) => maskLooks(maskPatterns(text, patterns, []), [])) as Value
}

function maskTokenForms(text: string): string {
  return text.length < SHORTEST_TOKEN ? text : maskLooks(text, [])
}

/** Masks the given secrets everywhere in plain data. Returns the same object if none occurs. */
export function maskKnown<Value>(value: Value, secrets: readonly string[]): Value {
  if (secrets.length === 0) return value
  const known = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
  return mapStrings(value, known) as Value
}

function maskAny(value: unknown, patterns: readonly RegExp[], found: string[]): unknown {
  return mapStrings(value, (text, name) => {
    if (name !== undefined && text !== '' && isSecretName(name) && !isReference(text)) {
      found.push(text)
      return MASK
    }
    return maskText(text, patterns, found)
  })
}

function maskText(text: string, patterns: readonly RegExp[], found: string[]): string {
  let masked = maskPatterns(text, patterns, found)
  if (!SUSPECT.test(masked)) return masked
  masked = maskLooks(masked, found)
  for (const place of SECRET_PLACES) {
    masked = masked.replace(place, (whole: string, before: string, secret: string) => {
      if (isReference(secret)) return whole
      found.push(secret)
      return before + MASK
    })
  }
  return masked
}

function maskPatterns(text: string, patterns: readonly RegExp[], found: string[]): string {
  let masked = text
  for (const pattern of patterns) {
    masked = masked.replace(pattern, (whole: string, group: unknown) => {
      const secret = typeof group === 'string' && group !== '' ? group : whole
      if (secret === '' || secret === MASK) return whole
      found.push(secret)
      return whole.replace(secret, () => MASK)
    })
  }
  return masked
}

function maskLooks(text: string, found: string[]): string {
  if (!TOKEN_SUSPECT.test(text)) return text
  let masked = text
  for (const look of SECRET_LOOKS) {
    masked = masked.replace(look, (secret) => {
      found.push(secret)
      return MASK
    })
  }
  return masked
}

/** Maps every string inside a value. Shares the parts that did not change. */
function mapStrings(value: unknown, map: (text: string, name?: string) => string, name?: string): unknown {
  if (typeof value === 'string') return map(value, name)
  if (Array.isArray(value)) {
    let changed: unknown[] | undefined
    for (let i = 0; i < value.length; i++) {
      const member = mapStrings(value[i], map, name)
      if (member === value[i]) continue
      changed ??= [...value]
      changed[i] = member
    }
    return changed ?? value
  }
  if (!isRecord(value)) return value
  let changed: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const member = mapStrings(value[key], map, key)
    if (member === value[key]) continue
    changed ??= { ...value }
    changed[key] = member
  }
  return changed ?? value
}
