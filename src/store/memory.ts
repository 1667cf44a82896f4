import type { Event, EventBody } from '../core/event.ts'
import type { Replaced } from '../core/files.ts'
import { type OutputPart, outputLines } from '../core/outputs.ts'
import type { Store } from '../core/store.ts'

interface MemoryLimits {
  /** How many events are kept; the oldest go first. */
  maxEvents?: number
  /** How many characters of whole outputs are kept; the oldest go first. */
  maxOutput?: number
  /** How many bytes of replaced files are kept; the oldest calls go first. */
  maxReplaced?: number
}

/** A store that forgets when the process ends, and its oldest entries when it is full. */
export function createMemoryStore({
  maxEvents = 100_000,
  maxOutput = 64_000_000,
  maxReplaced = 256_000_000,
}: MemoryLimits = {}): Store {
  let events: Event[] = []
  let seq = 0
  let kept = 0
  const outputs = new Map<string, string>()
  const replaced = keepReplacedFiles(maxReplaced)
  return {
    append(body: EventBody): Event {
      const event: Event = Object.assign(body, { seq: ++seq, at: Date.now() })
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
    keepReplaced: replaced.keep,
    replacedBy: replaced.by,
    close() {
      events = []
      outputs.clear()
      replaced.clear()
    },
  }
}

/** What changes replaced, call by call; a call whose records went is forgotten whole, since half of them restore nothing. */
function keepReplacedFiles(limit: number) {
  const calls = new Map<string, { records: Replaced[]; size: number }>()
  let kept = 0
  return {
    keep(record: Replaced): void {
      const size = 100 + (record.before?.type === 'file' ? (record.before.bytes?.length ?? 0) : 0)
      const known = calls.get(record.call) ?? { records: [], size: 0 }
      known.records.push(record)
      known.size += size
      kept += size
      calls.set(record.call, known)
      for (const [oldest, { size }] of calls) {
        if (kept <= limit || oldest === record.call) break
        calls.delete(oldest)
        kept -= size
      }
    },
    by: (call: string): readonly Replaced[] => calls.get(call)?.records ?? [],
    clear: () => calls.clear(),
  }
}
