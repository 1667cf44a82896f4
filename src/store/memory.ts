import type { Event, EventBody } from '../core/event.ts'
import { type OutputPart, outputLines } from '../core/outputs.ts'
import type { Store } from '../core/store.ts'

interface MemoryLimits {
  /** How many events are kept; the oldest go first. */
  maxEvents?: number
  /** How many characters of whole outputs are kept; the oldest go first. */
  maxOutput?: number
}

/** A store that forgets when the process ends, and its oldest entries when it is full. */
export function createMemoryStore({ maxEvents = 10_000, maxOutput = 64_000_000 }: MemoryLimits = {}): Store {
  let events: Event[] = []
  let seq = 0
  let kept = 0
  const outputs = new Map<string, string>()
  return {
    append(body: EventBody): Event {
      const event: Event = { ...body, seq: ++seq, at: Date.now() }
      events.push(event)
      if (events.length > maxEvents * 1.25) events = events.slice(-maxEvents)
      return event
    },
    events: (session) => (session === undefined ? [...events] : events.filter((event) => event.session === session)),
    keepOutput(call, text) {
      kept += text.length - (outputs.get(call)?.length ?? 0)
      outputs.set(call, text)
      for (const [oldest, { length }] of outputs) {
        if (kept <= maxOutput || oldest === call) break
        outputs.delete(oldest)
        kept -= length
      }
    },
    read(call, from, to): OutputPart | undefined {
      const text = outputs.get(call)
      if (text === undefined) return undefined
      const lines = outputLines(text)
      const part = lines.slice(from - 1, to)
      return { lines: part, from, to: from + part.length - 1, total: lines.length }
    },
    close() {
      events = []
      outputs.clear()
    },
  }
}
