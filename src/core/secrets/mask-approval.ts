import type { ApprovalRequest } from '../approval/approval.ts'
import { isRecord } from '../text/json.ts'
import { maskKnown, maskSecrets } from './mask-secrets.ts'
import { MASK } from './secret-patterns.ts'

/** Masks the secrets of the arguments everywhere in an approval request. A grant that would contain one is not offered. */
export function maskApproval(request: ApprovalRequest, patterns: readonly RegExp[]): ApprovalRequest {
  const { secrets } = maskSecrets([request.arguments, request.sent], patterns)
  const hide = <Value>(value: Value): Value => maskSecrets(maskKnown(value, secrets), patterns).value
  const { arguments: given, sent, effects, reason, unusual, preview } = request
  return {
    ...request,
    ...hide({ arguments: given, ...(sent && { sent }), effects, reason, unusual, ...(preview && { preview }) }),
    grants: request.grants.filter((offer) => hide(offer) === offer),
  }
}

/** Restores the secrets that a person left masked in edited arguments. Returns undefined if a mask has no matching secret. */
export function restoreMasked(
  changed: unknown,
  input: unknown,
  patterns: readonly RegExp[],
): { value: unknown } | undefined {
  const masked = maskSecrets(input, patterns).value
  let lost = false
  const restore = (value: unknown, original: unknown, shown: unknown): unknown => {
    if (typeof value === 'string') {
      if (!value.includes(MASK)) return value
      const restored = restoreText(value, original, shown)
      lost ||= restored === undefined
      return restored
    }
    if (Array.isArray(value)) return value.map((one, index) => restore(one, at(original, index), at(shown, index)))
    if (!isRecord(value)) return value
    const members = Object.entries(value).map(([key, one]) => [key, restore(one, at(original, key), at(shown, key))])
    return Object.fromEntries(members)
  }
  const value = restore(changed, input, masked)
  return lost ? undefined : { value }
}

function at(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Restores the secrets of a text in their order; undefined if there is another number of masks. */
function restoreText(text: string, original: unknown, shown: unknown): string | undefined {
  if (typeof original !== 'string' || typeof shown !== 'string') return undefined
  const secrets = hiddenParts(original, shown)
  const parts = text.split(MASK)
  if (secrets === undefined || parts.length !== secrets.length + 1) return undefined
  return parts.map((part, index) => part + (secrets[index] ?? '')).join('')
}

/** Returns the parts of the original text that the shown text masks. */
function hiddenParts(original: string, shown: string): string[] | undefined {
  const [first = '', ...rest] = shown.split(MASK)
  if (!original.startsWith(first)) return undefined
  const hidden: string[] = []
  let from = first.length
  for (const [index, part] of rest.entries()) {
    const to = index === rest.length - 1 ? original.length - part.length : original.indexOf(part, from)
    if (part === '' && index < rest.length - 1) return undefined
    if (to < from || !original.startsWith(part, to)) return undefined
    hidden.push(original.slice(from, to))
    from = to + part.length
  }
  return hidden
}
