// A well-behaved server, made with the SDK's own: it returns every kind of content, and adds and removes tools while it runs.
// Its argument is the era: `modern` knows only the newer protocol, `legacy` only the older one.
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const WAVE = Buffer.from('RIFF sound').toString('base64')

function makeServer(): McpServer {
  const server = new McpServer({ name: 'rich', version: '1' })
  const nothing = z.object({})
  const add = (name: string, answer: () => object) =>
    server.registerTool(name, { description: `Does ${name}.`, inputSchema: nothing }, async () => answer() as never)
  const text = (said: string) => ({ content: [{ type: 'text', text: said }] })
  add('sound', () => ({ content: [{ type: 'audio', data: WAVE, mimeType: 'audio/wav' }] }))
  add('files', () => ({
    content: [
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'in the file' } },
      { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'application/zip', blob: WAVE } },
      { type: 'resource_link', uri: 'file:///b.txt', name: 'b.txt', mimeType: 'text/plain', description: 'the other' },
    ],
  }))
  add('failing', () => ({ isError: true, ...text('the disk is full') }))
  add('empty', () => ({ content: [] }))
  const outputSchema = z.object({ degrees: z.number() })
  server.registerTool('weather', { description: 'Weather.', inputSchema: nothing, outputSchema }, async () => ({
    content: [],
    structuredContent: { degrees: 21 },
  }))
  let extra: { remove(): void } | undefined
  add('grow', () => {
    extra = add('extra', () => text('extra'))
    return text('grown')
  })
  add('shrink', () => {
    extra?.remove()
    return text('shrunk')
  })
  return server
}

if (process.argv[2] === 'modern') serveStdio(makeServer, { legacy: 'reject' })
else await makeServer().connect(new StdioServerTransport())
