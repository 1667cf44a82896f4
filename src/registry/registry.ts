import { messageOf } from '../core/call/result.ts'
import type { Loaded, LoadedTool } from '../core/ports/tool-source.ts'
import type { TargetName } from '../core/schema-targets/target.ts'
import type { Origin, Skipped, Snapshot } from '../core/tool/snapshot.ts'
import type { Tool } from '../core/tool/tool.ts'
import { type OpenAIFunction, toOpenAIFunction } from './definitions.ts'
import type { ExportAsOptions, ExportFormat } from './export/export-as.ts'
import type { ExportedTools, ToolReport } from './export/export-tools.ts'
import { makeSnapshot } from './make-snapshot.ts'
import { createToolTable, type RegisterOptions } from './tool-table.ts'

/** All tools by name. A change makes a new snapshot; old snapshots stay valid. */
export interface Registry {
  /** Adds a tool in its current state. Throws when its name is taken or its schema is invalid, with how to fix it. */
  register(tool: Tool, options?: RegisterOptions): void
  /** Removes a tool that was registered in code; returns false when there is none with this name. */
  remove(name: string): boolean
  /** Replaces the tools of a source. A tool whose name is taken is skipped; precedence: built-in, code, user, project, MCP servers, and within one origin the source that was set first. A tool that a source brings later takes no name from one that is there. */
  setSource(id: string, loaded: Loaded, origin: Origin): void
  get(name: string): Tool | undefined
  list(): readonly Tool[]
  toOpenAIFunctions(): readonly OpenAIFunction[]
  /** The tools as plain data in the form of an ecosystem, and what that form cannot express. */
  export(format: ExportFormat, options?: ExportAsOptions): Promise<ExportedTools<unknown>>
  /** What a target, such as the protocol of a model, cannot express of the tools, or of the one that is named. */
  report(target: TargetName, tool?: string): Promise<readonly ToolReport[]>
  snapshot(): Snapshot
}

/** The precedence of sources for a name. */
const ORDER: readonly Origin[] = ['built-in', 'code', 'user', 'project', 'mcp']

interface Source {
  readonly origin: Origin
  readonly loaded: Loaded
  /** The tools that came after the source was loaded first, as `keyOf` writes them: they take no name from another tool of this origin. */
  readonly later: ReadonlySet<string>
}

interface Registered {
  readonly tool: Tool
  readonly options: RegisterOptions
}

/** What a source has before it is loaded. */
export const NOT_LOADED: Loaded = Object.freeze({ tools: [], skipped: [] })

function keyOf({ tool, source }: LoadedTool): string {
  return `${source}\n${tool.name}`
}

/** Creates an empty registry. */
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
  const addLoaded = (found: readonly Source[]): void => {
    for (const { loaded } of found) skipped.push(...loaded.skipped)
    for (const isLater of [false, true])
      for (const { loaded, origin, later } of found)
        for (const one of loaded.tools)
          if (later.has(keyOf(one)) === isLater) addOrSkip(one.tool, { origin, source: one.source, line: one.line })
  }
  const rebuild = (): void => {
    table = createToolTable()
    skipped = []
    current = undefined
    for (const origin of ORDER) {
      if (origin === 'code') for (const { tool, options } of registered) addOrSkip(tool, options)
      addLoaded([...sources.values()].filter((source) => source.origin === origin))
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
      const before = sources.get(id)
      const known = new Set(before?.loaded.tools.map(keyOf))
      const isLater = (key: string) => before !== undefined && (before.later.has(key) || !known.has(key))
      const isFirst = before === undefined || before.loaded === NOT_LOADED
      const later = isFirst ? [] : loaded.tools.map(keyOf).filter(isLater)
      sources.set(id, { loaded, origin, later: new Set(later) })
      rebuild()
    },
    get: (name) => table.names.get(name)?.tool,
    list: () => snapshot().tools.map(({ tool }) => tool),
    toOpenAIFunctions: () => snapshot().tools.map(toOpenAIFunction),
    export: async (format, options) => (await import('./export/export-as.ts')).exportAs(snapshot(), format, options),
    report: async (target, tool) => (await import('./export/export-as.ts')).reportFor(snapshot(), target, tool),
    snapshot,
  }
}
