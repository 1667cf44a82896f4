import type { ApprovalRequest } from '../approval/approval.ts'
import { isRecord } from '../text/json.ts'
import { maskKnown, maskSecrets } from './mask-secrets.ts'
import { MASK, type Masker } from './masker.ts'

/** Masks the secrets of the arguments everywhere in an approval request. A grant that would contain one is not offered. */
export function maskApproval(request: ApprovalRequest, masker: Masker): ApprovalRequest {
  const { secrets } = maskSecrets([request.arguments, request.sent], masker)
  const hide = <Value>(value: Value): Value => maskSecrets(maskKnown(value, secrets, masker), masker).value
  const { arguments: given, sent, effects, reason, unusual, preview, summary, trace } = request
  return {
    ...request,
    ...hide({ arguments: given, effects, reason, unusual }),
    ...hide({
      ...(sent && { sent }),
      ...(preview && { preview }),
      ...(summary && { summary }),
      ...(trace && { trace }),
    }),
    grants: request.grants.filter((offer) => hide(offer) === offer),
  }
}

/** Restores the secrets that a person left masked in edited arguments. Returns undefined if a mask has no matching secret. */
export function restoreMasked(changed: unknown, input: unknown, masker: Masker): { value: unknown } | undefined {
  const masked = maskSecrets(input, masker).value
  let lost = false
  const restore = (value: unknown, original: unknown, shown: unknown): unknown => {
    if (typeof value === 'string') {
      if (!MASK.test(value)) return value
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

/** Restores the secrets of a text, each in place of its own mask; undefined when a mask is another one, or their number is not the same. */
function restoreText(text: string, original: unknown, shown: unknown): string | undefined {
  if (typeof original !== 'string' || typeof shown !== 'string') return undefined
  const secrets = hiddenParts(original, shown)
  const masks = text.match(ALL_MASKS) ?? []
  if (secrets === undefined || masks.length !== shown.match(ALL_MASKS)?.length) return undefined
  if (masks.some((mask) => !secrets.has(mask))) return undefined
  return text.replace(ALL_MASKS, (mask) => secrets.get(mask) ?? mask)
}

const ALL_MASKS = new RegExp(MASK, 'g')

/** Returns what stands in the original where the shown text has masks, by mask. */
function hiddenParts(original: string, shown: string): ReadonlyMap<string, string> | undefined {
  const masks = shown.match(ALL_MASKS) ?? []
  const [first = '', ...rest] = shown.split(MASK)
  if (!original.startsWith(first)) return undefined
  const hidden = new Map<string, string>()
  let from = first.length
  for (const [index, part] of rest.entries()) {
    const to = index === rest.length - 1 ? original.length - part.length : original.indexOf(part, from)
    if (part === '' && index < rest.length - 1) return undefined
    if (to < from || !original.startsWith(part, to)) return undefined
    const mask = masks[index] ?? ''
    const secret = original.slice(from, to)
    if ((hidden.get(mask) ?? secret) !== secret) return undefined
    hidden.set(mask, secret)
    from = to + part.length
  }
  return hidden
}
