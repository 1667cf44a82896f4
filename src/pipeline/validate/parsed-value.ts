import { isDeepStrictEqual } from 'node:util'
import { messageOf } from '../../core/call/result.ts'
import { isJsonValue, isPlainArray, isPlainObject } from '../../core/text/json.ts'
import { MAX_DEPTH } from '../parse/plain-data.ts'

type Sent = Readonly<Record<string, unknown>>

/** What a tool gets, and what people and the log see of it. */
export interface ParsedInput {
  readonly input: unknown
  readonly shown: Sent
}

/**
 * Makes a value that an author's schema parsed ready for the tool. Plain objects and arrays are copied and frozen, so that the value
 * that rules judge is the one that runs; what JSON cannot represent (a Date, a Map, an instance, a function) is passed on unchanged.
 * If the value equals the arguments, the arguments themselves are the input.
 */
export function settleParsed(parsed: unknown, sent: Sent): ParsedInput | { readonly problem: string } {
  try {
    const input = freezeCopy(parsed, 0, new Map())
    if (!isPlainObject(input) || !isJsonValue(input)) return { input, shown: sent }
    return isDeepStrictEqual(input, sent) ? { input: sent, shown: sent } : { input, shown: input }
  } catch (thrown) {
    return { problem: `the tool's own schema returned a value that cannot be used: ${messageOf(thrown)}` }
  }
}

/** Copies and freezes a value. Objects that contain themselves, and shared parts, are copied once. */
type Copies = Map<object, object>

function freezeCopy(value: unknown, depth: number, copies: Copies): unknown {
  if (!isPlainArray(value) && !isPlainObject(value)) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (depth >= MAX_DEPTH) throw new Error(`it is nested too deep: at most ${MAX_DEPTH} levels are accepted`)
  if (isPlainArray(value)) {
    const copy: unknown[] = []
    copies.set(value, copy)
    for (const member of value) copy.push(freezeCopy(member, depth + 1, copies))
    return Object.freeze(copy)
  }
  const copy: Record<string, unknown> = { ...value }
  copies.set(value, copy)
  for (const key of Object.keys(copy)) {
    if (key === '__proto__' || copy[key] === undefined) delete copy[key]
    else copy[key] = freezeCopy(copy[key], depth + 1, copies)
  }
  return Object.freeze(copy)
}
