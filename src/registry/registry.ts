import type { Origin, Skipped, Snapshot } from '../core/snapshot.ts'
import { EFFECTS, type Tool } from '../core/tool.ts'
import { wireNameOf } from '../core/wire-name.ts'
import { type OpenAIFunction, toOpenAIFunction } from './definitions.ts'
import { type Entry, makeEntry } from './entry.ts'
import { makeSnapshot } from './make-snapshot.ts'
import { readAliases } from './read-aliases.ts'
import { isToolName } from './tool-name.ts'

/** What a loader found in its source. */
export interface Loaded {
  readonly tools: readonly { readonly tool: Tool; readonly source: string }[]
  readonly skipped: readonly Skipped[]
}

interface RegisterOptions {
  /** Puts the tool in the place of one that has its name; who has only an alias of that name loses the alias. */
  override?: boolean
  origin?: Origin
  source?: string
}

/** All tools by name. A change makes a new snapshot; whoever holds an old one is not disturbed. */
export interface Registry {
  /** Adds a tool as it is now; throws where its name is taken or its schema is wrong, saying how to mend it. */
  register(tool: Tool, options?: RegisterOptions): void
  get(name: string): Tool | undefined
  list(): readonly Tool[]
  toOpenAIFunctions(): readonly OpenAIFunction[]
  /** Adds what a loader found; a tool that cannot be added is skipped alone, with its reason. */
  addLoaded(loaded: Loaded, origin: Origin): void
  snapshot(): Snapshot
}

/** Makes an empty registry. */
export function createRegistry(): Registry {
  const entries = new Map<string, Entry>()
  const names = new Map<string, Entry>()
  const skipped: Skipped[] = []
  let current: Snapshot | undefined

  const register = (given: Tool, { override, origin = 'code', source = 'code' }: RegisterOptions = {}): void => {
    const tool = Object.isFrozen(given) ? given : Object.freeze({ ...given })
    checkTool(tool)
    const owner = names.get(tool.name)
    if (owner && !override)
      throw new Error(
        `the name "${tool.name}" is taken by a tool from ${owner.source}; register with {override: true} to replace it`,
      )
    const replaced = owner?.isOfferedAs(tool.name) ? owner : undefined
    const isTaken = (name: string) => name !== tool.name && names.has(name) && names.get(name) !== replaced
    const wireName = wireNameOf(tool.name, isTaken)
    const aliases = readAliases(tool).filter(({ name }) => name !== tool.name && name !== wireName && !isTaken(name))
    const entry = makeEntry(tool, { wireName, aliases, origin, source })
    if (replaced) forget(replaced)
    else if (owner) replaceEntry(owner, owner.withoutAlias(tool.name))
    entries.set(tool.name, entry)
    for (const name of [tool.name, wireName, ...aliases.map((alias) => alias.name)]) names.set(name, entry)
    current = undefined
  }

  const replaceEntry = (before: Entry, after: Entry): void => {
    entries.set(before.tool.name, after)
    for (const [name, owner] of names) if (owner === before) names.set(name, after)
  }

  const forget = (entry: Entry): void => {
    entries.delete(entry.tool.name)
    for (const [name, owner] of names) if (owner === entry) names.delete(name)
  }

  const snapshot = (): Snapshot => {
    current ??= makeSnapshot(new Map(names), Object.freeze([...entries.values()]), Object.freeze([...skipped]))
    return current
  }

  return {
    register,
    get: (name) => names.get(name)?.tool,
    list: () => snapshot().tools.map(({ tool }) => tool),
    toOpenAIFunctions: () => snapshot().tools.map(toOpenAIFunction),
    addLoaded(loaded, origin) {
      skipped.push(...loaded.skipped)
      for (const { tool, source } of loaded.tools) {
        try {
          register(tool, { origin, source })
        } catch (error) {
          skipped.push({ source, reason: error instanceof Error ? error.message : String(error) })
        }
      }
      current = undefined
    },
    snapshot,
  }
}

/** The members that are functions where they are there. */
const FUNCTIONS = ['timeout', 'touches', 'approval', 'prepare', 'rehearse', 'execute', 'steps'] as const

function checkTool(tool: Tool): void {
  if (!isToolName(tool.name)) {
    throw new Error(`${JSON.stringify(tool.name)} is no tool name; expected letters, digits and _ - . : /, at most 128`)
  }
  if (typeof tool.description !== 'string' || tool.description.trim() === '')
    throw new Error(`tool "${tool.name}" has no description; models choose tools by it`)
  if (!EFFECTS.includes(tool.effect))
    throw new Error(
      `tool "${tool.name}" has the effect ${JSON.stringify(tool.effect)}; expected one of ${EFFECTS.join(', ')}`,
    )
  const executes = typeof tool.execute === 'function'
  const steps = typeof tool.steps === 'function'
  if (!executes && !steps)
    throw new Error(
      `tool "${tool.name}" has neither an execute function nor steps; what it has from a class is not seen`,
    )
  if (steps && (executes || tool.prepare))
    throw new Error(`tool "${tool.name}" has steps and also execute or prepare; steps take the place of both`)
  for (const member of FUNCTIONS) {
    const given: unknown = tool[member]
    if (given !== undefined && typeof given !== 'function') throw noFunction(tool.name, member, given)
  }
}

function noFunction(name: string, member: string, given: unknown): Error {
  const hint = typeof given === 'boolean' && member === 'approval' ? '; defineTool takes true and false too' : ''
  return new Error(`tool "${name}" has ${member} as ${typeof given}; expected a function${hint}`)
}
