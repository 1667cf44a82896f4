import type { Result } from '../core/call/result.ts'
import type { ToolDefinition } from '../core/ports/model.ts'
import type { MessageCall } from '../core/session/message.ts'
import { isRecord } from '../core/text/json.ts'
import { isControl, type Snapshot } from '../core/tool/snapshot.ts'
import { countToolTokens } from './history/count-tokens.ts'

/** The part of a model's window that tool definitions may take. */
const SHARE = 0.25

/** The control tool that the others wait behind. */
const FIND_TOOLS = 'find_tools'

/** Which tools a session has called and which it has found, from its events alone, so that a resumed session offers the same ones. */
export class ToolUse {
  readonly #counts = new Map<string, number>()
  readonly #searches = new Set<string>()
  /** The names that were found, the latest search last. */
  readonly #found = new Set<string>()
  #latest: readonly string[] = []

  /** Takes in the calls of one more message. */
  addCalls(calls: readonly MessageCall[] = []): void {
    for (const { call, name } of calls) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
      if (name === FIND_TOOLS) this.#searches.add(call)
    }
  }

  /** Takes in the result of one more call. */
  addResult(call: string, result: Result): void {
    if (this.#searches.delete(call) && result.ok) this.#addFound(namesIn(result.data))
  }

  /** What the latest search found. */
  get latest(): readonly string[] {
    return this.#latest
  }

  /** Every name that was found or called, those that should be kept first: the latest found, then the most called. */
  ranked(): readonly string[] {
    const called = [...this.#counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
    return [...new Set([...[...this.#found].reverse(), ...called])]
  }

  #addFound(names: readonly string[]): void {
    if (names.length > 0) this.#latest = names
    for (const name of names.toReversed()) {
      this.#found.delete(name)
      this.#found.add(name)
    }
  }
}

function namesIn(data: unknown): readonly string[] {
  const names = isRecord(data) ? data.tools : undefined
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

interface Others {
  readonly others: readonly ToolDefinition[]
  readonly tokens: number
}

const knownOthers = new WeakMap<readonly ToolDefinition[], Others>()

/** All definitions but that of `find_tools`, and their tokens. Definitions never change, so this is computed once for a snapshot. */
function othersOf(all: readonly ToolDefinition[]): Others {
  const known = knownOthers.get(all)
  if (known) return known
  const others = all.filter(({ name }) => name !== FIND_TOOLS)
  const made = { others, tokens: countToolTokens(others) }
  knownOthers.set(all, made)
  return made
}

/** What decides which tools are offered. */
export interface OfferParts {
  readonly snapshot: Pick<Snapshot, 'find'>
  readonly use: ToolUse
  /** The tokens of the model's window. */
  readonly window: number
}

/** Returns the definitions that a model is sent, in their order. Where all of them would take more than a quarter of its window, the least used ones wait behind `find_tools`; control tools and what the latest search found are always sent. */
export function offerTools(
  all: readonly ToolDefinition[],
  { snapshot, use, window }: OfferParts,
): readonly ToolDefinition[] {
  const budget = window * SHARE
  const { others, tokens: needed } = othersOf(all)
  if (others.length === all.length || needed <= budget) return others
  const byName = new Map(all.map((definition) => [definition.name, definition]))
  const isAlways = ({ name }: ToolDefinition) => {
    const entry = snapshot.find(name)
    return entry !== undefined && isControl(entry)
  }
  const latest = use.latest.flatMap((name) => byName.get(name) ?? [])
  const offered = new Set([...all.filter(isAlways), ...latest])
  let tokens = countToolTokens([...offered])
  const ranked = use.ranked().flatMap((name) => byName.get(snapshot.find(name)?.wireName ?? name) ?? [])
  for (const definition of new Set([...ranked, ...all])) {
    if (offered.has(definition)) continue
    const more = countToolTokens([definition])
    if (tokens + more > budget) continue
    tokens += more
    offered.add(definition)
  }
  return all.filter((definition) => offered.has(definition))
}
