import type { MessageHit } from '../core/ports/log.ts'
import type { CommittedEvent, Event } from '../core/session/event.ts'

/** How many hits a search gives when no limit is set. */
export const SEARCH_LIMIT = 20

/** The characters of an excerpt. */
const EXCERPT = 160

/** Splits what a person searches for into words, in lower case. */
export function searchWords(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ]
}

/** Returns the hit of a message that holds every word; undefined for other events. */
export function findWords(event: Event, words: readonly string[]): MessageHit | undefined {
  if (event.type !== 'message' || event.role === 'system' || words.length === 0) return undefined
  const text = event.content.toLowerCase()
  if (!words.every((word) => text.includes(word))) return undefined
  const { session, id, role, at, content } = event
  return { session, event: id, role, at, excerpt: excerptOf(content, text.indexOf(words[0] ?? '')) }
}

function excerptOf(content: string, at: number): string {
  const start = Math.max(0, at - EXCERPT / 4)
  const part = content
    .slice(start, start + EXCERPT)
    .replace(/\s+/g, ' ')
    .trim()
  return `${start > 0 ? '…' : ''}${part}${start + EXCERPT < content.length ? '…' : ''}`
}

/** Collects which words the events of each call hold. */
export class CallWords {
  readonly #words: readonly string[]
  readonly #found = new Map<string, Set<string>>()

  constructor(words: readonly string[]) {
    this.#words = words
  }

  /** Adds an event. Returns its call if that now holds every word and did not before. */
  add(event: CommittedEvent): string | undefined {
    if (!('call' in event)) return undefined
    const known = this.#found.get(event.call) ?? new Set()
    const before = known.size
    if (before === this.#words.length) return undefined
    const text = textOf(event).toLowerCase()
    for (const word of this.#words) if (text.includes(word)) known.add(word)
    if (known.size > before) this.#found.set(event.call, known)
    return known.size === this.#words.length ? event.call : undefined
  }
}

/** Members of events that say nothing about what a call is. */
const NOT_SEARCHED = new Set(['type', 'id', 'at', 'session', 'cursor', 'offset'])

/** The texts inside a value, one after the other. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value)
  const members = Array.isArray(value)
    ? value
    : Object.entries(value).flatMap(([key, member]) => (NOT_SEARCHED.has(key) ? [] : [member]))
  return members.map(textOf).join('\n')
}
