// A server of the newer protocol over standard input and output, made with the SDK's own server; it knows no older client.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' })
    const inputSchema = z.object({ text: z.string().describe('A text') })
    server.registerTool('shout', { description: 'Shouts a text.', inputSchema }, async ({ text }) => ({
      content: [{ type: 'text', text: text.toUpperCase() }],
    }))
    return server
  },
  { legacy: 'reject' },
)
