import { isRecord } from '../text/json.ts'
import { FORMS_ONLY, MASK, type Masker } from './masker.ts'
import {
  isReference,
  isSecretName,
  mayContainSecret,
  mayContainToken,
  SECRET_LOOKS,
  SECRET_PLACES,
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

/** Masks keys, tokens and passwords in plain data: by their form, by the text before them, by the name of the member, and by the masker's patterns and known secrets. */
export function maskSecrets<Value>(value: Value, masker: Masker = FORMS_ONLY): Masked<Value> {
  const isPlain = masker.patterns.length === 0 && masker.known().length === 0
  if (typeof value === 'string' && isPlain && !mayContainSecret(value)) return { value, secrets: NONE }
  const finding: Finding = { masker, found: [] }
  // Masking keeps the shape: strings stay strings, members stay members.
  const masked = maskAny(value, finding) as Value
  if (masked === value) return { value, secrets: NONE }
  return { value: masked, secrets: finding.found.filter(isTelling) }
}

/** Masks in plain data only what has the form of a token, matches one of the patterns or is known. For outputs and messages, where source code must stay readable. Returns the same object if nothing is masked. */
export function maskTokens<Value>(value: Value, masker: Masker = FORMS_ONLY): Value {
  const known = masker.known()
  if (masker.patterns.length === 0 && known.length === 0 && !mayHoldToken(value)) return value
  // Masking keeps the shape: strings stay strings, members stay members.
  return mapStrings(value, (text) => {
    const finding = { masker, found: [] }
    return maskLooks(maskPatterns(replaceKnown(text, known, masker), finding), finding)
  }) as Value
}

/** False if no string inside a value has the form of a token. Makes no objects, since the result of every call is checked (gate 1b). */
function mayHoldToken(value: unknown): boolean {
  if (typeof value === 'string') return mayContainToken(value)
  if (Array.isArray(value)) return value.some(mayHoldToken)
  if (!isRecord(value)) return false
  for (const key in value) if (mayHoldToken(value[key])) return true
  return false
}

/** Masks what a model, a log or a front end must not see in an output, a message or the content of a file. The same object when there is nothing. */
export const maskForModel: <Value>(value: Value, masker: Masker) => Value = maskTokens

/** Masks the given secrets everywhere in plain data. Returns the same object if none occurs. */
export function maskKnown<Value>(value: Value, secrets: readonly string[], masker: Masker = FORMS_ONLY): Value {
  if (secrets.length === 0) return value
  return mapStrings(value, (text) => replaceKnown(text, secrets, masker)) as Value
}

/** Longer secrets come first, so that none is masked in part. */
function replaceKnown(text: string, secrets: readonly string[], masker: Masker): string {
  return secrets.reduce(
    (rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, () => masker.maskOf(secret)) : rest),
    text,
  )
}

/** The masker, and the secrets that were found so far. */
interface Finding {
  readonly masker: Masker
  readonly found: string[]
}

function maskAny(value: unknown, finding: Finding): unknown {
  return mapStrings(value, (text, name) => {
    if (name === undefined || text === '' || !isSecretName(name) || isReference(text)) return maskText(text, finding)
    finding.found.push(text)
    return finding.masker.maskOf(text)
  })
}

function maskText(text: string, finding: Finding): string {
  const { masker, found } = finding
  let masked = maskPatterns(replaceKnown(text, masker.known(), masker), finding)
  if (!mayContainSecret(masked)) return masked
  masked = maskLooks(masked, finding)
  for (const place of SECRET_PLACES) {
    masked = masked.replace(place, (whole: string, before: string, secret: string) => {
      if (isReference(secret) || MASK.test(secret)) return whole
      found.push(secret)
      return before + masker.maskOf(secret)
    })
  }
  return masked
}

function maskPatterns(text: string, { masker, found }: Finding): string {
  let masked = text
  for (const pattern of masker.patterns) {
    masked = masked.replace(pattern, (whole: string, group: unknown) => {
      const secret = typeof group === 'string' && group !== '' ? group : whole
      if (secret === '' || MASK.test(secret)) return whole
      found.push(secret)
      return whole.replace(secret, () => masker.maskOf(secret))
    })
  }
  return masked
}

function maskLooks(text: string, { masker, found }: Finding): string {
  if (!mayContainToken(text)) return text
  let masked = text
  for (const look of SECRET_LOOKS) {
    masked = masked.replace(look, (secret) => {
      found.push(secret)
      return masker.maskOf(secret)
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
