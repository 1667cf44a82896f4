import type { MessageHit } from '../core/ports/log.ts'
import type { Event } from '../core/session/event.ts'

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
