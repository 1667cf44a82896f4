import type { Loaded } from '../core/ports/tool-source.ts'
import { messageOf } from '../core/result.ts'
import type { Origin, Skipped, Snapshot } from '../core/snapshot.ts'
import type { Tool } from '../core/tool.ts'
import { type OpenAIFunction, toOpenAIFunction } from './definitions.ts'
import { makeSnapshot } from './make-snapshot.ts'
import { createToolTable, type RegisterOptions } from './tool-table.ts'

/** All tools by name. A change makes a new snapshot; whoever holds an old one keeps it. */
export interface Registry {
  /** Adds a tool as it is now; throws where its name is taken or its schema is wrong, saying how to fix it. */
  register(tool: Tool, options?: RegisterOptions): void
  /** Removes a tool that was registered in code; false where there is none of that name. */
  remove(name: string): boolean
  /** Puts what a source gave in the place of what it gave before. A tool whose name is taken is skipped: built-in tools come first, then code, the user's, the project's and MCP servers; of one kind the source that was set first. */
  setSource(id: string, loaded: Loaded, origin: Origin): void
  get(name: string): Tool | undefined
  list(): readonly Tool[]
  toOpenAIFunctions(): readonly OpenAIFunction[]
  snapshot(): Snapshot
}

/** Which source keeps a name that several give. */
const ORDER: readonly Origin[] = ['built-in', 'code', 'user', 'project', 'mcp']

interface Source {
  readonly origin: Origin
  readonly loaded: Loaded
}

interface Registered {
  readonly tool: Tool
  readonly options: RegisterOptions
}

/** Makes an empty registry. */
export function createRegistry(): Registry {
  const sources = new Map<string, Source>()
  let registered: Registered[] = []
  let table = createToolTable()
  let skipped: Skipped[] = []
  let current: Snapshot | undefined

  const addOrSkip = (tool: Tool, options: RegisterOptions): void => {
    const { source = 'code', line } = options
    try {
      table.add(tool, options)
    } catch (thrown) {
      skipped.push({ source, ...(line !== undefined && { line }), reason: messageOf(thrown) })
    }
  }
  const addLoaded = ({ loaded, origin }: Source): void => {
    skipped.push(...loaded.skipped)
    for (const { tool, source, line } of loaded.tools) addOrSkip(tool, { origin, source, line })
  }
  const rebuild = (): void => {
    table = createToolTable()
    skipped = []
    current = undefined
    for (const origin of ORDER) {
      if (origin === 'code') for (const { tool, options } of registered) addOrSkip(tool, options)
      for (const source of sources.values()) if (source.origin === origin) addLoaded(source)
    }
  }
  const snapshot = (): Snapshot => {
    const { names, entries } = table
    current ??= makeSnapshot(new Map(names), Object.freeze([...entries.values()]), Object.freeze([...skipped]))
    return current
  }
  return {
    register(given, options = {}) {
      const tool = Object.isFrozen(given) ? given : Object.freeze({ ...given })
      table.add(tool, options)
      registered.push({ tool, options })
      current = undefined
    },
    remove(name) {
      const left = registered.filter(({ tool }) => tool.name !== name)
      if (left.length === registered.length) return false
      registered = left
      rebuild()
      return true
    },
    setSource(id, loaded, origin) {
      sources.set(id, { loaded, origin })
      rebuild()
    },
    get: (name) => table.names.get(name)?.tool,
    list: () => snapshot().tools.map(({ tool }) => tool),
    toOpenAIFunctions: () => snapshot().tools.map(toOpenAIFunction),
    snapshot,
  }
}
