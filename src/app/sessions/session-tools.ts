import type { ToolSource } from '../../core/ports/tool-source.ts'
import type { Event } from '../../core/session/event.ts'
import type { SessionStart } from '../../core/session/session-record.ts'
import type { RegisteredTool, Snapshot } from '../../core/tool/snapshot.ts'
import type { Registry } from '../../registry/registry.ts'
import { UNDO } from '../../undo/undo-tool.ts'
import type { EventBus } from '../event-bus.ts'
import type { OpenedMcpServers } from '../mcp/mcp-servers.ts'

/** The tools that a session has now. */
export interface SessionTools {
  readonly session: string
  readonly snapshot: Snapshot
}

/** The tools of the sessions that a host runs. A session keeps its tools until their code is no longer kept; then it moves to the present ones by name. One that began while files were loading gets their tools when they are there. */
export interface AllSessionTools {
  /** Begins a session with a selection of these tools, the present ones when left out. Throws if a selected tool does not exist. */
  begin(session: string, selection: Selection, from?: Snapshot): SessionTools
  /** Continues a session: with the tools it has where it runs in this process, else with the present ones of its selection. `events` are those of the session so far. */
  resume(session: string, events: readonly Event[]): SessionTools
  /** Returns the tools that a session has now, where it runs in this process. */
  get(session: string): Snapshot | undefined
  /** Moves every session that has a tool whose code is no longer kept, gives those that began while files were loading what has come since, and logs what changed. */
  moveOn(isLoading: boolean): void
}

type Selection = Pick<SessionStart, 'tools' | 'mcpServers' | 'only'>

/** What a host has for its sessions. */
export interface SessionToolsParts {
  readonly registry: Pick<Registry, 'snapshot'>
  /** Where tools come from whose code is replaced while sessions run. */
  readonly sources: readonly ToolSource[]
  readonly emit: EventBus['emit']
  /** The MCP servers: a session starts those that it selected, and their tools join it when they are there. */
  readonly servers: Pick<OpenedMcpServers, 'wake' | 'ownsTool'>
  /** True while files with tools are loading. */
  isLoading(): boolean
}

/** How many sessions are followed at least; an older one keeps its tools as long as it is used. */
const MAX_SESSIONS = 1_000

interface ToolChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

interface Held {
  readonly session: string
  readonly selection: Selection
  snapshot: Snapshot
  /** True where it has all tools and began while files were loading: theirs join it. */
  isEarly: boolean
}

/** Makes the record of the tools that sessions have. */
export function createSessionTools(parts: SessionToolsParts): AllSessionTools {
  const { registry, sources, servers, isLoading } = parts
  const sessions = new Map<string, Held>()
  const isCurrent = ({ tool }: RegisteredTool) => sources.every((source) => source.isCurrent?.(tool) ?? true)
  const isSame = (before: RegisteredTool, after: RegisteredTool) =>
    before.tool === after.tool || sources.some((source) => source.isSame?.(before.tool, after.tool))

  const begin = (session: string, selection: Selection, from = registry.snapshot()): Held => {
    const { tools, mcpServers, only } = selection
    const snapshot = tools === undefined && mcpServers === undefined ? from : from.only(tools, mcpServers, only)
    const isEarly = from === registry.snapshot() && tools === undefined && isLoading()
    const held: Held = { session, selection, snapshot, isEarly }
    sessions.set(session, held)
    servers.wake(only ? serversIn(snapshot, mcpServers) : mcpServers)
    if (sessions.size > MAX_SESSIONS * 1.25) forgetOldest(sessions)
    return held
  }
  const log = (session: string, changes: Partial<ToolChanges>) => logChanges(parts.emit, session, changes)
  /** Puts the tools that MCP servers have now in the place of those they had. */
  const joinServers = (held: Held): void => {
    const before = held.snapshot
    const { tools, mcpServers, only } = held.selection
    const present = registry.snapshot()
    const there = tools?.filter((name) => present.find(name))
    const after = only
      ? before.withServers(present.only(there, mcpServers, only))
      : before.withServers(present, mcpServers)
    if (after === before) return
    held.snapshot = after
    log(held.session, compareTools(before, after))
  }
  const move = (held: Held): void => {
    const before = held.snapshot.tools
    const present = registry.snapshot()
    const nameOf = ({ tool }: RegisteredTool) => tool.name
    const kept = before.filter(({ tool }) => present.find(tool.name)?.tool.name === tool.name)
    const { mcpServers, only } = held.selection
    held.snapshot = present.only(held.isEarly ? undefined : kept.map(nameOf), mcpServers, only)
    const added = held.snapshot.tools.map(nameOf).filter((name) => !before.some(({ tool }) => tool.name === name))
    const isChanged = (entry: RegisteredTool) => {
      const after = held.snapshot.find(entry.tool.name)
      return after !== undefined && !isSame(entry, after)
    }
    const removed = before.filter((entry) => !kept.includes(entry)).map(nameOf)
    log(held.session, { added, removed, changed: kept.filter(isChanged).map(nameOf) })
  }
  return {
    begin,
    resume(session, events) {
      const known = sessions.get(session)
      if (known) return known
      const start = events.find((event) => event.type === 'session-start')
      const isThere = (name: string) => registry.snapshot().find(name) !== undefined
      const tools = start?.tools?.filter(isThere)
      const held = begin(session, { ...start, ...(tools && { tools }) })
      // A server's tools come back once it is connected.
      const isGone = (name: string) => !isThere(name) && !servers.ownsTool(name)
      log(session, { removed: [...listKnown(events)].filter(isGone) })
      return held
    },
    get: (session) => sessions.get(session)?.snapshot,
    moveOn(stillLoads) {
      for (const held of sessions.values()) {
        if (held.isEarly || !held.snapshot.tools.every(isCurrent)) move(held)
        held.isEarly &&= stillLoads
        joinServers(held)
      }
    },
  }
}

/** Forgets many at once: looking for the first entry of a Map passes all that were removed before it. */
function forgetOldest(sessions: Map<string, Held>): void {
  for (const session of sessions.keys()) {
    if (sessions.size <= MAX_SESSIONS) return
    sessions.delete(session)
  }
}

function compareTools(before: Snapshot, after: Snapshot): ToolChanges {
  const had = new Map(before.tools.map(({ tool }) => [tool.name, tool]))
  const has = new Map(after.tools.map(({ tool }) => [tool.name, tool]))
  return {
    added: [...has.keys()].filter((name) => !had.has(name)),
    removed: [...had.keys()].filter((name) => !has.has(name)),
    changed: [...has.keys()].filter((name) => had.has(name) && had.get(name) !== has.get(name)),
  }
}

function logChanges(emit: SessionToolsParts['emit'], session: string, changes: Partial<ToolChanges>): void {
  const { added = [], removed = [], changed = [] } = changes
  if (added.length + removed.length + changed.length > 0)
    emit({ type: 'tools-changed', session, added, removed, changed })
}

/** The servers of a selection that names them, or their tools. */
function serversIn({ tools }: Snapshot, named: readonly string[] = []): readonly string[] {
  const own = tools.filter(({ origin }) => origin === 'mcp').map(({ source }) => source)
  return [...new Set([...named, ...own])]
}

/** The tools that a session is known to have had, as far as its events say it: those it selected or has called, without those that are logged as removed. */
function listKnown(events: readonly Event[]): Set<string> {
  const names = new Set<string>()
  const calls = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'session-start') for (const name of event.tools ?? []) names.add(name)
    else if (event.type === 'call-start') calls.set(event.call, event.name)
    else if (event.type === 'call-judged') names.add(calls.get(event.call) ?? '')
    else if (event.type === 'tools-changed') for (const name of event.removed) names.delete(name)
  }
  names.delete('')
  // Undoing is a call of its own, and no tool that a session has.
  names.delete(UNDO)
  return names
}
