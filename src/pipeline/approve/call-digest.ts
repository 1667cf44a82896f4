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

/** The same, with the states of files that `prepare` saw and the hosts that a command gets. An approval is bound to this digest. */
export function digestPrepared({ call, expects, hosts }: PreparedCall, workspace: string): string {
  return hash([digestCall(call, workspace), expects, ...(hosts.length > 0 ? [hosts] : [])])
}

/** A digest of what a command that has run would change. */
export function digestChange(call: ValidCall, { files, diff }: ReviewedChange, workspace: string): string {
  return hash([digestCall(call, workspace), call.id, files, diff])
}

function hash(value: unknown): string {
  return lazyCrypto()
    .createHash('sha256')
    .update(JSON.stringify(canonicalForm(value, { above: [], left: { count: Number.POSITIVE_INFINITY } })))
    .digest('hex')
}

/** The state of a traversal: the objects around the current value, and how many values may still be visited. */
interface Walk {
  readonly above: readonly object[]
  readonly left: { count: number }
}

/** Returns a value as canonical JSON: equal for equal values, different for others. Lists and objects are marked, keys are sorted. */
function canonicalForm(value: unknown, { above, left }: Walk): unknown {
  if (--left.count < 0) return ['!', 'more']
  if (typeof value !== 'object' || value === null)
    return isJsonValue(value) ? value : ['!', typeof value, String(value)]
  if (above.includes(value)) return ['!', 'circular', above.indexOf(value)]
  const walk = { above: [...above, value], left }
  if (isPlainArray(value)) return ['[', ...value.map((member) => canonicalForm(member, walk))]
  if (!isPlainObject(value)) return formOfInstance(value)
  const keys = Object.keys(value).sort()
  // As pairs, because an object would order numeric keys first and treat `__proto__` specially.
  return ['{', ...keys.map((key) => [key, canonicalForm(value[key], walk)])]
}

/** Describes a value that JSON cannot represent: a Date exactly, other instances only by their class. */
function formOfInstance(value: object): unknown {
  return value instanceof Date
    ? ['!', 'Date', String(value.getTime())]
    : ['!', 'object', Object.prototype.toString.call(value)]
}
