import { messageOf } from '../../core/call/result.ts'
import { findMask } from '../../core/secrets/masker.ts'
import { MAX_MEMBERS, MAX_VALUES, TOO_MANY_MEMBERS, TOO_MANY_VALUES } from '../../core/text/find-excess.ts'
import { isPlainObject } from '../../core/text/json.ts'

/** The deepest nesting of arguments. No tool needs more, and later recursive functions cannot overflow the stack. */
export const MAX_DEPTH = 100

/** The largest size of arguments, in characters. */
export const MAX_SIZE = 10_000_000

/** The message for arguments that are too large, the same in every interface. */
export const TOO_LARGE = 'the arguments are too large: at most 10 MB are accepted'

const TOO_DEEP = `the arguments are nested too deep: at most ${MAX_DEPTH} levels are accepted`

/** A frozen copy of plain data with the number of its keys and the first mask of a secret in it, or the problem. */
export type Settled =
  | { readonly value: unknown; readonly keys: number; readonly dropped: number; readonly mask: string | undefined }
  | { readonly problem: string }

/** The state of one walk through a value. */
interface Walk {
  /** True if nobody else holds the value, so that it is frozen as it is and not copied. */
  readonly isOwn: boolean
  size: number
  values: number
  keys: number
  dropped: number
  mask: string | undefined
  problem: string | undefined
  /** The path of the problem, innermost key first; filled while the recursion returns. */
  path: (string | number)[] | undefined
}

/** Copies and freezes plain data in one pass. Refuses what JSON cannot represent, and drops `__proto__`. The given value is not changed, unless it is the caller's own: that is what JSON.parse has just made. */
export function settle(value: unknown, isOwn = false): Settled {
  const walk: Walk = {
    isOwn,
    size: 0,
    values: 0,
    keys: 0,
    dropped: 0,
    mask: undefined,
    problem: undefined,
    path: undefined,
  }
  let copy: unknown
  try {
    copy = copyValue(value, 0, walk)
  } catch (thrown) {
    walk.problem = `reading the arguments failed: ${messageOf(thrown)}`
  }
  if (walk.problem === undefined) return { value: copy, keys: walk.keys, dropped: walk.dropped, mask: walk.mask }
  const path = (walk.path ?? []).reverse().join('.')
  return { problem: path === '' ? walk.problem : `${path}: ${walk.problem}` }
}

function copyValue(value: unknown, depth: number, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      walk.size += value.length
      if (walk.size > MAX_SIZE) return refuse(walk, TOO_LARGE)
      walk.mask ??= findMask(value)
      return value.isWellFormed()
        ? value
        : refuse(walk, 'it contains half of a surrogate pair, which is not valid text')
    case 'number':
      return Number.isFinite(value) ? value : refuse(walk, 'it is not a finite number')
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyObject(value, depth + 1, walk)
    default:
      return refuse(walk, `it is a ${typeof value}, which JSON cannot represent`)
  }
}

function copyObject(value: object, depth: number, walk: Walk): unknown {
  if (depth > MAX_DEPTH) return refuse(walk, TOO_DEEP)
  if (++walk.size > MAX_SIZE) return refuse(walk, TOO_LARGE)
  if (Array.isArray(value)) return copyArray(value, depth, walk)
  if (!isPlainObject(value)) return refuse(walk, 'it is not plain data; expected an object or array of JSON values')
  const count = Object.keys(value).length
  if (count > MAX_MEMBERS) return refuse(walk, `${TOO_MANY_MEMBERS}: ${count.toLocaleString('en')}`)
  walk.values += count
  if (walk.values > MAX_VALUES) return refuse(walk, TOO_MANY_VALUES)
  const copy: Record<string, unknown> = walk.isOwn ? value : { ...value }
  const keys = Object.keys(copy)
  walk.keys += keys.length
  for (const key of keys) {
    const member = copy[key]
    if (key === '__proto__') walk.dropped++
    if (key === '__proto__' || member === undefined) {
      delete copy[key]
      continue
    }
    walk.size += key.length
    walk.mask ??= findMask(key)
    const settled = copyValue(member, depth, walk)
    if (walk.problem !== undefined) return leave(walk, key)
    if (settled !== member) copy[key] = settled
  }
  return Object.freeze(copy)
}

function copyArray(value: readonly unknown[], depth: number, walk: Walk): unknown {
  walk.values += value.length
  if (walk.values > MAX_VALUES) return refuse(walk, TOO_MANY_VALUES)
  const copy: unknown[] = []
  for (let i = 0; i < value.length; i++) {
    if (++walk.size > MAX_SIZE) return refuse(walk, TOO_LARGE)
    copy.push(copyValue(value[i] ?? null, depth, walk))
    if (walk.problem !== undefined) return leave(walk, i)
  }
  return Object.freeze(copy)
}

function refuse(walk: Walk, problem: string): undefined {
  walk.problem ??= problem
}

function leave(walk: Walk, key: string | number): undefined {
  if (walk.problem === TOO_LARGE || walk.problem === TOO_DEEP || walk.problem === TOO_MANY_VALUES) return
  walk.path ??= []
  walk.path.push(key)
}
