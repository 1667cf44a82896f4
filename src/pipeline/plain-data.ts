import { isRecord } from '../core/json.ts'
import { messageOf } from '../core/result.ts'

/** How deep arguments may nest: no tool needs more, and every later walk over them stays off the stack's end. */
export const MAX_DEPTH = 100

/** How large arguments may be, in characters. */
export const MAX_SIZE = 10_000_000

/** Why arguments are too large, in the words every door uses. */
export const TOO_LARGE = 'the arguments are too large: at most 10 MB are taken'

/** A frozen copy of plain data, or what is wrong with it. */
export type Settled = { readonly value: unknown; readonly dropped: readonly string[] } | { readonly problem: string }

interface Walk {
  size: number
  problem: string | undefined
  dropped: string[] | undefined
}

/** Copies and freezes plain data in one pass; refuses what JSON cannot carry and drops `__proto__`. The given value stays as it is. */
export function settle(value: unknown): Settled {
  const walk: Walk = { size: 0, problem: undefined, dropped: undefined }
  const copy = copyHostile(value, walk)
  if (walk.problem !== undefined) return { problem: walk.problem }
  return { value: copy, dropped: walk.dropped ?? NOTHING }
}

/** A getter or proxy among what a caller handed in may throw. */
function copyHostile(value: unknown, walk: Walk): unknown {
  try {
    return copyValue(value, '', 0, walk)
  } catch (thrown) {
    return refuse(walk, `reading the arguments failed: ${messageOf(thrown)}`)
  }
}

const NOTHING: readonly string[] = []

function copyValue(value: unknown, path: string, depth: number, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      walk.size += value.length
      if (walk.size > MAX_SIZE) return refuse(walk, TOO_LARGE)
      return value.isWellFormed()
        ? value
        : refuse(walk, `${path || 'the text'} holds half of a surrogate pair, which is not text`)
    case 'number':
      return Number.isFinite(value) ? value : refuse(walk, `${path || 'the number'} is not a finite number`)
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyObject(value, path, depth + 1, walk)
    default:
      return refuse(walk, `${path || 'the arguments'} is a ${typeof value}, which JSON cannot carry`)
  }
}

function copyObject(value: object, path: string, depth: number, walk: Walk): unknown {
  if (depth > MAX_DEPTH) return refuse(walk, `the arguments are nested more than ${MAX_DEPTH} deep`)
  if (++walk.size > MAX_SIZE) return refuse(walk, TOO_LARGE)
  if (Array.isArray(value)) return copyArray(value, path, depth, walk)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && !isForeignPlain(value)) {
    return refuse(walk, `${path || 'the value'} is not plain data; expected an object or array of JSON values`)
  }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__') {
      walk.dropped ??= []
      walk.dropped.push(path === '' ? key : `${path}.${key}`)
      continue
    }
    const member: unknown = Reflect.get(value, key)
    if (member === undefined) continue
    walk.size += key.length
    copy[key] = copyValue(member, path === '' ? key : `${path}.${key}`, depth, walk)
    if (walk.problem !== undefined) return undefined
  }
  return Object.freeze(copy)
}

function copyArray(value: readonly unknown[], path: string, depth: number, walk: Walk): unknown {
  const copy: unknown[] = []
  for (let i = 0; i < value.length; i++) {
    copy.push(copyValue(value[i] ?? null, `${path}[${i}]`, depth, walk))
    if (walk.problem !== undefined || ++walk.size > MAX_SIZE) return refuse(walk, TOO_LARGE)
  }
  return Object.freeze(copy)
}

/** Plain objects of another realm (a vm, a test runner) have another Object.prototype. */
function isForeignPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return isRecord(prototype) && Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty')
}

function refuse(walk: Walk, problem: string): undefined {
  walk.problem ??= problem
  return undefined
}
