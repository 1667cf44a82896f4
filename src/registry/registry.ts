import { messageOf } from '../core/call/result.ts'
import type { Loaded } from '../core/ports/tool-source.ts'
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
  /** Replaces the tools of a source. A tool whose name is taken is skipped; precedence: built-in, code, user, project, MCP servers, and within one origin the source that was set first. */
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
}

interface Registered {
  readonly tool: Tool
  readonly options: RegisterOptions
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
    export: async (format, options) => (await import('./export/export-as.ts')).exportAs(snapshot(), format, options),
    report: async (target, tool) => (await import('./export/export-as.ts')).reportFor(snapshot(), target, tool),
    snapshot,
  }
}
