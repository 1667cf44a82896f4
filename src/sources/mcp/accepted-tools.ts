import type { KeptFile } from '../../core/mcp/kept-file.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ToolDefinition } from './definition.ts'

/** The definitions of tools that the person has accepted, by server and tool: by adding or first using the server, or by a yes to a change. They are offered until a new one is accepted, also before the server is started. */
export interface AcceptedTools {
  of(server: string): ReadonlyMap<string, AcceptedTool>
  accept(server: string, definitions: readonly ToolDefinition[]): void
  /** Notes which tools a server has now: the others are not offered any more, and stay known in case they come back. */
  noteListed(server: string, names: ReadonlySet<string>): void
  forget(server: string): void
}

/** A definition, and whether the server had the tool when it was last asked. */
interface AcceptedTool extends ToolDefinition {
  readonly isGone?: true
}

type Kept = Record<string, Record<string, AcceptedTool>>

/** Opens the accepted definitions that a file holds. */
export function openAcceptedTools(file: KeptFile): AcceptedTools {
  let kept = readKept(file)
  const change = (next: (kept: Kept) => Kept): void =>
    file.change(() => {
      // Another process may have written since.
      kept = next(readKept(file))
      return JSON.stringify(kept)
    })
  return {
    of: (server) => new Map(Object.entries(Object.hasOwn(kept, server) ? (kept[server] ?? {}) : {})),
    accept(server, definitions) {
      if (definitions.length === 0) return
      const added = Object.fromEntries(definitions.map((definition) => [definition.name, definition]))
      change((before) => ({ ...before, [server]: { ...before[server], ...added } }))
    },
    noteListed(server, names) {
      const isWrong = ({ name, isGone }: AcceptedTool) => names.has(name) === (isGone ?? false)
      if (!Object.values(kept[server] ?? {}).some(isWrong)) return
      const note = ({ isGone: _, ...tool }: AcceptedTool): AcceptedTool =>
        names.has(tool.name) ? tool : { ...tool, isGone: true }
      change((before) => {
        const tools = Object.entries(before[server] ?? {}).map(([name, tool]) => [name, note(tool)] as const)
        return { ...before, [server]: Object.fromEntries(tools) }
      })
    },
    forget(server) {
      change((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== server)))
    },
  }
}

/** Nothing where the file is missing. A broken one throws: starting anew would accept whatever servers say now. */
function readKept(file: KeptFile): Kept {
  try {
    const parsed: unknown = JSON.parse(file.read() ?? '{}')
    if (!isRecord(parsed)) return {}
    const servers = Object.entries(parsed).map(([server, tools]) => [server, readTools(tools)] as const)
    return Object.fromEntries(servers)
  } catch {
    throw new Error(
      `${file.path} holds the tools of MCP servers that you have accepted and cannot be read. Repair or delete it.`,
    )
  }
}

function readTools(tools: unknown): Record<string, AcceptedTool> {
  if (!isRecord(tools)) return {}
  return Object.fromEntries(Object.entries(tools).flatMap(([name, one]) => (isDefinition(one) ? [[name, one]] : [])))
}

function isDefinition(value: unknown): value is AcceptedTool {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    typeof value.description === 'string' &&
    isRecord(value.input) &&
    (value.output === undefined || isRecord(value.output))
  )
}
