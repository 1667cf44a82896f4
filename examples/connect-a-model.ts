// Connects a model: an agent loop for any server with the OpenAI chat API, with Haft in charge of the tools.
// Run: OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=qwen3 node examples/connect-a-model.ts "What is in plan.md?"
// This file imports Haft's sources; in a program of your own write: import { createHost } from 'haft'
import { createHost } from '../src/index.ts'

interface ToolCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

interface Reply {
  readonly content: string | null
  readonly tool_calls?: readonly ToolCall[]
}

const {
  OPENAI_BASE_URL: server = 'http://127.0.0.1:11434/v1',
  OPENAI_API_KEY: key = '',
  MODEL: model = '',
} = process.env
const host = await createHost({
  workspace: process.cwd(),
  // Decides about calls that need approval. This example says no to all of them; ask a person here.
  approver: { ask: async () => ({ approved: false, reason: 'this example approves nothing' }) },
})
const tools = host.registry.toOpenAIFunctions().map((definition) => ({ type: 'function', function: definition }))
const messages: object[] = [{ role: 'user', content: process.argv[2] ?? 'Which files are here?' }]

for (let step = 0; step < 20; step++) {
  const reply = await askModel()
  messages.push({ role: 'assistant', ...reply })
  if (reply.content) console.log(reply.content)
  if (!reply.tool_calls?.length) break
  for (const { id, function: call } of reply.tool_calls) {
    const result = await host.call(call.name, call.arguments) // a string, as the model wrote it; never throws
    console.log(`${call.name}: ${result.ok ? 'ok' : result.code}`)
    messages.push({ role: 'tool', tool_call_id: id, content: result.text })
  }
}
await host.close()

async function askModel(): Promise<Reply> {
  const response = await fetch(`${server}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages, tools }),
  })
  if (!response.ok) throw new Error(`${server} answered ${response.status}: ${await response.text()}`)
  const { choices } = (await response.json()) as { choices: { message: Reply }[] }
  return choices[0]?.message ?? { content: null }
}
