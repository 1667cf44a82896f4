import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ModelAbilities } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { countOf } from '../reply/count-usage.ts'

/** Where something was learned: from what a server says of a model, or from what the model did. */
export type AbilitySource = 'metadata' | 'replies'

/** What is known of one model. */
export interface LearnedAbilities {
  /** What replies showed stands above what metadata says. */
  read(): ModelAbilities
  learn(abilities: ModelAbilities, from: AbilitySource): void
}

/** What is known of every model. */
export interface AbilityCache {
  of(model: string): LearnedAbilities
}

interface Entry {
  readonly metadata: ModelAbilities
  readonly replies: ModelAbilities
  /** When replies showed something last, in milliseconds since 1970. */
  readonly at: number
}

/** How long what replies showed is believed: servers are updated and started with other options. */
const BELIEVED_FOR = 7 * 24 * 60 * 60 * 1_000

/** Opens what is known of models; kept in a small JSON file where a path is given. A file that is missing or broken holds nothing, and one that cannot be written loses only what would be learned again. */
export function openAbilityCache(path: string | undefined): AbilityCache {
  let kept: Record<string, Entry> = path === undefined ? {} : readEntries(path)
  const entryOf = (model: string): Entry => {
    const entry = Object.hasOwn(kept, model) ? kept[model] : undefined
    if (entry === undefined) return { metadata: {}, replies: {}, at: 0 }
    return Date.now() - entry.at > BELIEVED_FOR ? { ...entry, replies: {} } : entry
  }
  return {
    of: (model) => ({
      read() {
        const { metadata, replies } = entryOf(model)
        return { ...metadata, ...replies }
      },
      learn(abilities, from) {
        const before = entryOf(model)
        const changed = { ...before[from], ...abilities }
        if (isSame(before[from], changed)) return
        const at = from === 'replies' ? Date.now() : before.at
        if (path !== undefined) kept = readEntries(path)
        kept = { ...kept, [model]: { ...before, [from]: changed, at } }
        if (path !== undefined) writeEntries(path, kept)
      },
    }),
  }
}

function isSame(one: ModelAbilities, other: ModelAbilities): boolean {
  return JSON.stringify(readAbilities(one)) === JSON.stringify(readAbilities(other))
}

function readEntries(path: string): Record<string, Entry> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isRecord(parsed) || !isRecord(parsed.models)) return {}
    return Object.fromEntries(Object.entries(parsed.models).map(([model, entry]) => [model, readEntry(entry)]))
  } catch {
    return {}
  }
}

function readEntry(entry: unknown): Entry {
  const { metadata, replies, at } = isRecord(entry) ? entry : {}
  return { metadata: readAbilities(metadata), replies: readAbilities(replies), at: countOf(at) ?? 0 }
}

function readAbilities(value: unknown): ModelAbilities {
  if (!isRecord(value)) return {}
  const { argumentForm, context, refusedTools } = value
  const flags = FLAGS.flatMap((flag) => (typeof value[flag] === 'boolean' ? [[flag, value[flag]] as const] : []))
  return {
    ...Object.fromEntries(flags),
    ...((argumentForm === 'text' || argumentForm === 'object') && { argumentForm }),
    ...(typeof context === 'number' && context > 0 && { context }),
    ...(Array.isArray(refusedTools) && { refusedTools: refusedTools.filter((name) => typeof name === 'string') }),
  }
}

const FLAGS = [
  ...(['nativeCalls', 'parallelCalls', 'images'] as const),
  ...(['grammar', 'systemRole', 'alternates', 'singleCalls', 'shortCallIds'] as const),
]

/** Writes the file all at once, so that a reader never sees half of it. */
function writeEntries(path: string, models: Record<string, Entry>): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}.new`
    writeFileSync(draft, `${JSON.stringify({ models }, undefined, 1)}\n`, { mode: 0o600 })
    renameSync(draft, path)
  } catch {
    // A home that is read-only or full: the cache is a convenience, and the next process learns it again.
  }
}
