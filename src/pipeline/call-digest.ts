import type { PreparedCall, ValidCall } from '../core/call.ts'
import { isRecord } from '../core/json.ts'
import { lazyCrypto } from '../core/lazy-crypto.ts'
import type { TrustedChange } from '../core/sandbox.ts'

/** Stands for a call's tool, schema, arguments and workspace: equal for equal calls, whatever the order of their keys. */
export function digestCall({ entry, input }: ValidCall, workspace: string): string {
  return hash([entry.tool.name, entry.origin, entry.parameters, input, workspace])
}

/** The same with what `prepare` saw of the world: what a yes is bound to. */
export function digestPrepared({ call, expects }: PreparedCall, workspace: string): string {
  return hash([digestCall(call, workspace), expects])
}

/** Stands for what a call that has run would do to files that other programs trust. */
export function digestChange(call: ValidCall, { files, diff }: TrustedChange, workspace: string): string {
  return hash([digestCall(call, workspace), call.id, files, diff])
}

function hash(value: unknown): string {
  return lazyCrypto()
    .createHash('sha256')
    .update(JSON.stringify(sortKeys(value)))
    .digest('hex')
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isRecord(value)) return value
  const keys = Object.keys(value).sort()
  // As pairs: an object would put keys that look like numbers first and take `__proto__` for something else.
  return keys.map((key) => [key, sortKeys(value[key])])
}
