import { isRecord } from '../../core/text/json.ts'

/** Data of a provider, by its name: signatures, cache marks, encrypted content. */
export type ProviderData = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** One part of a message, in the order of the message. Texts and calls are taken from the message itself; reasoning stands here, since its signature covers every byte of it. */
export type WirePart =
  | { readonly type: 'reasoning'; readonly text: string; readonly data?: ProviderData }
  | { readonly type: 'text' | 'call'; readonly data?: ProviderData }

/** The parts of a message of this model; undefined for messages of other models, whose signatures mean nothing here. */
export function wirePartsOf(wire: unknown, model: string): readonly WirePart[] | undefined {
  if (!isRecord(wire) || wire.model !== model || !Array.isArray(wire.parts)) return undefined
  return wire.parts.filter(isWirePart)
}

function isWirePart(part: unknown): part is WirePart {
  if (!isRecord(part) || !(part.data === undefined || isRecord(part.data))) return false
  return part.type === 'text' || part.type === 'call' || (part.type === 'reasoning' && typeof part.text === 'string')
}

/** Joins the data that a provider sent at the start, within and at the end of a part. */
export function joinData(before: ProviderData | undefined, after: ProviderData | undefined): ProviderData | undefined {
  if (before === undefined || after === undefined) return after ?? before
  const joined: Record<string, Readonly<Record<string, unknown>>> = { ...before }
  for (const [provider, data] of Object.entries(after)) joined[provider] = { ...joined[provider], ...data }
  return joined
}
