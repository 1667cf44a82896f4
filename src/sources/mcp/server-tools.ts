import type { Tool as ListedTool } from '@modelcontextprotocol/client'
import { messageOf } from '../../core/call/result.ts'
import type { Loaded, LoadedTool } from '../../core/ports/tool-source.ts'
import type { Skipped } from '../../core/tool/snapshot.ts'
import type { AcceptedTools } from './accepted-tools.ts'
import { digestOf, quoted, readDefinition, type ToolDefinition } from './definition.ts'
import { makeTool, type ToolServer } from './make-tool.ts'

/** A tool that is not what the person accepted. */
export interface ToolChange {
  readonly accepted: ToolDefinition
  readonly now: ToolDefinition
}

/** The most tools that are taken from one server. */
const MAX_TOOLS = 500
/** The most characters that the definitions of one server may have together. */
const MAX_SIZE = 2_000_000
/** The most tools of one server that are named with the reason why they are not taken. */
const MAX_REASONS = 20

/** The tools of one server: what it lists, and what the person has accepted of it. Only accepted definitions are offered. */
export class ServerTools {
  readonly #accepted: AcceptedTools
  readonly #server: ToolServer
  /** What the server listed last; undefined before it was first asked. */
  #listed: ReadonlyMap<string, ToolDefinition> | undefined
  #skipped: readonly Skipped[] = []
  /** The tool of each definition, so that an unchanged one stays the same object. */
  readonly #made = new Map<string, LoadedTool>()

  constructor(accepted: AcceptedTools, server: ToolServer) {
    this.#accepted = accepted
    this.#server = server
  }

  /** Takes over what the server lists. A tool that was never seen is accepted: adding the server was the consent, and its calls ask. */
  set(listed: readonly ListedTool[]): void {
    const { name: source } = this.#server
    const skipped: Skipped[] = []
    const read = new Map<string, ToolDefinition>()
    let size = 0
    for (const tool of listed.slice(0, MAX_TOOLS)) {
      try {
        if (read.has(tool.name)) throw new Error(`it lists ${quoted(tool.name)} twice; the first one is taken`)
        const definition = readDefinition(tool, source)
        size += JSON.stringify(definition).length
        if (size > MAX_SIZE) throw new Error(`${quoted(tool.name)}: its tools are too large together`)
        read.set(tool.name, definition)
      } catch (thrown) {
        skipped.push({ source, reason: messageOf(thrown) })
      }
    }
    const unnamed = skipped.length - MAX_REASONS
    if (unnamed > 0) skipped.splice(MAX_REASONS, unnamed, { source, reason: `${unnamed} more tools cannot be offered` })
    if (listed.length > MAX_TOOLS)
      skipped.push({ source, reason: `it lists ${listed.length} tools; only the first ${MAX_TOOLS} are taken` })
    const known = this.#accepted.of(source)
    this.#accepted.accept(
      source,
      [...read.values()].filter(({ name }) => !known.has(name)),
    )
    this.#accepted.noteListed(source, new Set(read.keys()))
    this.#listed = read
    this.#skipped = skipped
  }

  /** Returns the tools as they are offered; with a problem none, and why. */
  load(problem: string | undefined): Loaded {
    const { name: source } = this.#server
    if (problem !== undefined) return { tools: [], skipped: [{ source, reason: problem }] }
    if (this.#listed === undefined && this.#accepted.of(source).size === 0) {
      const reason = 'it was not started yet; a session starts it, or: haft mcp test'
      return { tools: [], skipped: [{ source, reason: `${reason} ${source}`, isWarning: true }] }
    }
    const offered = [...this.#accepted.of(source).values()].filter((tool) => !tool.isGone)
    const held = this.changes().map(({ accepted }) => ({
      source,
      reason: `${accepted.name} has changed since you accepted it and asks again; haft mcp test ${source} shows how`,
      isWarning: true as const,
    }))
    return { tools: offered.map((definition) => this.#toolOf(definition)), skipped: [...this.#skipped, ...held] }
  }

  /** Why tools that the server lists are not taken. */
  get skipped(): readonly string[] {
    return this.#skipped.map(({ reason }) => reason)
  }

  changes(): readonly ToolChange[] {
    return [...(this.#listed?.keys() ?? [])].flatMap((name) => this.findChange(name) ?? [])
  }

  /** Returns what changed of a tool since the person accepted it; undefined where nothing did. */
  findChange(name: string): ToolChange | undefined {
    const now = this.#listed?.get(name)
    const accepted = this.#accepted.of(this.#server.name).get(name)
    if (now === undefined || accepted === undefined || digestOf(now) === digestOf(accepted)) return undefined
    return { accepted, now }
  }

  accept(definition: ToolDefinition): void {
    this.#accepted.accept(this.#server.name, [definition])
  }

  acceptAll(): void {
    this.#accepted.accept(
      this.#server.name,
      this.changes().map(({ now }) => now),
    )
  }

  #toolOf(definition: ToolDefinition): LoadedTool {
    const key = digestOf(definition)
    const made = this.#made.get(key) ?? { tool: makeTool(definition, this.#server), source: this.#server.name }
    this.#made.set(key, made)
    return made
  }
}
