import { ToolError } from '../../core/call/result.ts'
import type { McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import { isRecord } from '../../core/text/json.ts'
import type { Problem } from '../check-value.ts'
import { checkMcpServers, writeMcpServer } from '../mcp-settings.ts'
import { changeManaged } from './managed-file.ts'

/** Throws ToolError where a server could not be read back from a settings file. */
export function checkAddedServer(name: string, settings: McpServerSettings): void {
  const problems: Problem[] = []
  checkMcpServers({ [name]: writeMcpServer(settings) }, ['mcp'], (problem) => problems.push(problem))
  const [first] = problems
  if (first) throw new ToolError('INVALID_ARGUMENTS', `${first.path.join('.')}: ${first.message}`)
}

/** Adds an MCP server to Haft's own settings file, or replaces the one of that name there. Rejects with ToolError where the file is wrong. */
export async function addManagedServer(home: string, name: string, settings: McpServerSettings): Promise<void> {
  checkAddedServer(name, settings)
  await changeManaged(home, (given) => ({ ...given, mcp: { ...serversOf(given), [name]: writeMcpServer(settings) } }))
}

/** Removes an MCP server from Haft's own settings file. Rejects with ToolError where the file is wrong. */
export async function removeManagedServer(home: string, name: string): Promise<void> {
  await changeManaged(home, (given) => ({
    ...given,
    mcp: Object.fromEntries(Object.entries(serversOf(given)).filter(([other]) => other !== name)),
  }))
}

function serversOf({ mcp }: Record<string, unknown>): Record<string, unknown> {
  return isRecord(mcp) ? mcp : {}
}
