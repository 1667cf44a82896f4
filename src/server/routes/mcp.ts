import type { TestedServer } from '../../app/mcp/mcp-servers.ts'
import { ToolError } from '../../core/call/result.ts'
import type { ListedMcpServer } from '../../core/mcp/listed-server.ts'
import { Answered, type Handlers } from '../context.ts'
import { HttpError } from '../request/http-error.ts'

export const mcpHandlers: Handlers<'listMcpServers' | 'addMcpServer' | 'testMcpServer' | 'removeMcpServer'> = {
  listMcpServers: async (_, { home }) => ({ servers: await home.mcp.list() }),
  async addMcpServer({ name, command, args, env, cwd, url, headers, oauth, timeout }, { home }) {
    if ((command === undefined) === (url === undefined))
      throw new HttpError('INVALID_ARGUMENTS', 'Give either a command or a url.')
    const limit = timeout !== undefined && { timeout }
    const local = { ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }), ...limit }
    const remote = { ...(headers && { headers }), ...(oauth && { oauth }), ...limit }
    const settings = command === undefined ? { url: url ?? '', ...remote } : { command, ...local }
    return new Answered(201, { server: await trying(() => home.mcp.add(name, settings)) })
  },
  testMcpServer: async ({ name, accept = false }, { home }) => ({
    server: await trying(() => home.mcp.test(name, { accept })),
  }),
  async removeMcpServer({ name }, { home }) {
    if (await home.mcp.remove(name)) return { done: true }
    throw new HttpError(
      'FILE_NOT_FOUND',
      `There is no MCP server ${JSON.stringify(name)} that was added here. Servers of settings.toml are removed there.`,
    )
  },
}

/** Tries a server. One that does not answer is no fault of the request. */
async function trying(work: () => Promise<TestedServer>): Promise<ListedMcpServer> {
  try {
    const { toolNames: _, ...server } = await work()
    return server
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown
    const status = thrown.code === 'UNAVAILABLE' ? { status: 424 } : {}
    throw new HttpError(thrown.code, thrown.message, status)
  }
}
