import { isRecord } from '../../core/text/json.ts'

/** What goes back with a message of this protocol beside its text and calls. */
export interface OpenAiWire {
  /** The member that held the reasoning; servers that want it back want it there. */
  readonly reasoningMember?: string
  /** Opaque members of the message, as they came. */
  readonly message?: Readonly<Record<string, unknown>>
  /** Opaque members of each call, by position. */
  readonly calls?: readonly (Readonly<Record<string, unknown>> | null)[]
  /** The id that the server gave each call, by position; null where it gave none. */
  readonly ids?: readonly unknown[]
}

/** The opaque data of a message of this model; empty for messages of other models, whose signatures mean nothing here. */
export function openAiWireOf(wire: unknown, model: string): OpenAiWire {
  if (!isRecord(wire) || wire.model !== model) return {}
  const { reasoningMember, message, calls, ids } = wire
  return {
    ...(typeof reasoningMember === 'string' && { reasoningMember }),
    ...(isRecord(message) && { message }),
    ...(Array.isArray(calls) && { calls }),
    ...(Array.isArray(ids) && { ids }),
  }
}

/** Joins the pieces of an opaque member: lists are appended to the one so far, with neighbouring pieces of one text joined; anything else is replaced. The list so far is changed, since a reply may have many thousand pieces. */
export function joinOpaque(before: unknown, piece: unknown): unknown {
  if (!Array.isArray(piece)) return piece
  const joined: unknown[] = Array.isArray(before) ? before : []
  for (const item of piece) {
    const last = joined.at(-1)
    const isSameText = isRecord(last) && isRecord(item) && isPieceOf(last, item)
    if (isSameText) joined[joined.length - 1] = joinTexts(last, item)
    else joined.push(item)
  }
  return joined
}

/** The members of a reasoning detail that are streamed in pieces. */
const TEXT_MEMBERS = ['text', 'summary', 'data'] as const

function isPieceOf(last: Record<string, unknown>, item: Record<string, unknown>): boolean {
  const isNumbered = item.index !== undefined && item.index === last.index
  return isNumbered && item.type === last.type && (item.id ?? last.id) === (last.id ?? item.id)
}

function joinTexts(last: Record<string, unknown>, item: Record<string, unknown>): Record<string, unknown> {
  const joined = { ...last, ...item }
  for (const member of TEXT_MEMBERS) {
    const [before, after] = [last[member], item[member]]
    if (typeof before === 'string') joined[member] = typeof after === 'string' ? before + after : before
  }
  return joined
}
