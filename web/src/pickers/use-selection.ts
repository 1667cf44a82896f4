import { useMemo, useState } from 'react'
import type { ListedMcpServer, McpState } from '../../../src/core/mcp/listed-server.ts'
import { useMcpServers, useTools } from '../api/queries.ts'
import type { Pickable } from '../components/tool-picker.tsx'

const NOTHING: ReadonlySet<string> = new Set()

/** The tools of a workspace in groups, the MCP servers, and which of them are selected: all, until the person changes it. */
export function useSelection(workspace: string | undefined) {
  const { tools, skipped } = useTools({ workspace, isWatched: true })
  const servers = useMcpServers()
  const [withoutTools, setWithoutTools] = useState(NOTHING)
  const [withoutServers, setWithoutServers] = useState(NOTHING)
  const [isOnly, setOnly] = useState(false)
  return useMemo(() => {
    const pickable = tools.filter(({ isControl, origin }) => !isControl && origin !== 'mcp')
    const toolNames = pickable.map(({ name }) => name)
    const serverNames = servers.map(({ name }) => name)
    const selectedTools = without(toolNames, withoutTools)
    const selectedServers = without(serverNames, withoutServers)
    const grouped = pickable.map(({ name, description, source, origin }) => ({
      ...{ name, description, group: origin === 'built-in' ? '' : source, origin },
    }))
    return {
      local: grouped.filter(({ origin }) => origin !== 'built-in'),
      builtIn: grouped.filter(({ origin }) => origin === 'built-in'),
      servers: servers.map(describeServer),
      broken: skipped.filter(({ isWarning, source }) => !isWarning && !serverNames.includes(source)),
      selectedTools,
      selectedServers,
      setTools: (next: ReadonlySet<string>) => setWithoutTools(without(toolNames, next)),
      setServers: (next: ReadonlySet<string>) => setWithoutServers(without(serverNames, next)),
      /** The tools that come with every selection, unless it is to have only what it names. */
      control: tools.filter(({ isControl }) => isControl).map(({ name }) => name),
      isOnly,
      setOnly,
      /** What is sent with the first message; absent means all. */
      chosen: {
        ...((isOnly || selectedTools.size < toolNames.length) && { tools: [...selectedTools] }),
        ...((isOnly || selectedServers.size < serverNames.length) && { mcpServers: [...selectedServers] }),
        ...(isOnly && { only: true as const }),
      },
    }
  }, [tools, skipped, servers, withoutTools, withoutServers, isOnly])
}

function without(names: readonly string[], left: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(names.filter((name) => !left.has(name)))
}

const STATES: Readonly<Record<McpState, readonly [string, 'ok' | 'run' | 'bad' | 'off']>> = {
  idle: ['starts when used', 'off'],
  starting: ['starting', 'run'],
  ready: ['ready', 'ok'],
  waiting: ['starts again soon', 'off'],
  failed: ['failed', 'bad'],
  'sign-in': ['sign-in needed', 'bad'],
}

/** A server as one row: its name, what it is, how many tools it offers, and its state. */
export function describeServer({ name, target, server, tools, state, problem }: ListedMcpServer): Pickable {
  const [text, look] = STATES[state]
  const offered = tools > 0 ? `${tools} ${tools === 1 ? 'tool' : 'tools'}` : undefined
  const description = problem ?? [server ?? target, offered].filter(Boolean).join(' · ')
  return { name, description, group: '', fact: { text, look } }
}
