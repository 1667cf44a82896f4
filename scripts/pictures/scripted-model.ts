import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One reply of the scripted model. */
export interface Reply {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly (readonly [name: string, given: object])[]
}

/** Starts a server that speaks the protocol of OpenAI and replies by a script, so that pictures show a session with a model. */
export async function startScriptedModel(replies: readonly Reply[]): Promise<{ url: string; close(): void }> {
  let answered = 0
  const server = createServer((incoming, response) => {
    incoming.resume()
    if (!incoming.url?.endsWith('/chat/completions')) {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'qwen3-coder', object: 'model' }] }))
    }
    const reply = replies[Math.min(answered++, replies.length - 1)]
    incoming.once('end', () => send(response, reply ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

function send(response: ServerResponse, { reasoning, text, calls = [] }: Reply): void {
  const chunk = (delta: object, finish: string | null = null) => {
    const choice = { index: 0, delta, finish_reason: finish }
    response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  if (reasoning) chunk({ reasoning_content: reasoning })
  if (text) chunk({ content: text })
  for (const [index, [name, given]] of calls.entries()) {
    const made = { name, arguments: JSON.stringify(given) }
    chunk({ tool_calls: [{ index, id: `call_${index}_${Date.now()}`, type: 'function', function: made }] })
  }
  chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')
  const usage = { prompt_tokens: 4_210, completion_tokens: 380, total_tokens: 4_590 }
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
}
