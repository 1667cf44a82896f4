import type { PreparedCall, ValidCall } from '../../core/call/call.ts'
import type { ReviewedChange } from '../../core/ports/sandbox.ts'
import { isJsonValue, isPlainArray, isPlainObject, MAX_VALUES } from '../../core/text/json.ts'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'

/**
 * A digest of a call's tool, schema, arguments and workspace, and of what the author's schema made of the arguments. Equal for equal
 * calls, whatever the order of their keys.
 */
export function digestCall({ entry, arguments: sent, input }: ValidCall, workspace: string): string {
  const parsed = input === sent ? [] : [canonicalForm(input, { above: [], left: { count: MAX_VALUES } })]
  return hash([entry.tool.name, entry.origin, entry.parameters, sent, workspace, ...parsed])
}

/** The same with what `prepare` saw of the world: what a yes is bound to. */
export function digestPrepared({ call, expects }: PreparedCall, workspace: string): string {
  return hash([digestCall(call, workspace), expects])
}

/** Stands for what a call that has run would do to files that other programs trust. */
export function digestChange(call: ValidCall, { files, diff }: ReviewedChange, workspace: string): string {
  return hash([digestCall(call, workspace), call.id, files, diff])
}

function hash(value: unknown): string {
  return lazyCrypto()
    .createHash('sha256')
    .update(JSON.stringify(canonicalForm(value, { above: [], left: { count: Number.POSITIVE_INFINITY } })))
    .digest('hex')
}

/** Where in a value one stands: the objects it lies in, and how many values may still be looked at. */
interface Walk {
  readonly above: readonly object[]
  readonly left: { count: number }
}

/** A value as JSON that is the same for equal values and another for others: lists and objects are marked, keys are sorted. */
function canonicalForm(value: unknown, { above, left }: Walk): unknown {
  if (--left.count < 0) return ['!', 'more']
  if (typeof value !== 'object' || value === null)
    return isJsonValue(value) ? value : ['!', typeof value, String(value)]
  if (above.includes(value)) return ['!', 'circular', above.indexOf(value)]
  const walk = { above: [...above, value], left }
  if (isPlainArray(value)) return ['[', ...value.map((member) => canonicalForm(member, walk))]
  if (!isPlainObject(value)) return formOfInstance(value)
  const keys = Object.keys(value).sort()
  // As pairs: an object would put keys that look like numbers first and take `__proto__` for something else.
  return ['{', ...keys.map((key) => [key, canonicalForm(value[key], walk)])]
}

/** Of what JSON cannot carry, a Date has an exact form; of other instances only their kind is known. */
function formOfInstance(value: object): unknown {
  return value instanceof Date
    ? ['!', 'Date', String(value.getTime())]
    : ['!', 'object', Object.prototype.toString.call(value)]
}
