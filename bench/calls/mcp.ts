import { join } from 'node:path'
import type { Contestant } from '../lib/contestant.ts'
import { ARGUMENTS } from '../lib/echo-tool.ts'
import { MCP_V1, MCP_V2, type McpClient, type McpSdk } from '../lib/mcp-peers.ts'
import type { Caller } from '../lib/serve-orders.ts'
import { makeEchoServer } from './mcp-server.ts'

const SERVER = join(import.meta.dirname, 'mcp-server.ts')

/** The MCP SDKs: a client and a server in one process, and a server behind pipes (cpu counts the client alone). */
export const mcp: readonly Contestant<Caller>[] = [MCP_V1, MCP_V2].flatMap((sdk) => [
  { name: `${sdk.name} in memory`, peer: true, start: () => startInMemory(sdk) },
  { name: `${sdk.name} over stdio`, peer: true, start: () => startOverStdio(sdk) },
])

async function startInMemory(sdk: McpSdk): Promise<Caller> {
  const [mine, theirs] = await sdk.memoryPair()
  const server = await makeEchoServer(sdk)
  await server.connect(theirs)
  return connect(await sdk.client(), mine)
}

async function startOverStdio(sdk: McpSdk): Promise<Caller> {
  return connect(await sdk.client(), await sdk.stdioClient(process.execPath, [SERVER, sdk.name]))
}

async function connect(client: McpClient, transport: object): Promise<Caller> {
  await client.connect(transport)
  const call = () => client.callTool({ name: 'echo', arguments: ARGUMENTS })
  const { content } = await call()
  if (!content[0]?.text?.includes(ARGUMENTS.text)) throw new Error(`the tool did not echo: ${JSON.stringify(content)}`)
  return { call }
}
