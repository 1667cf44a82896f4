import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startModelServer } from './model-server.ts'
import { ollamaReply, openAiReply, type ScriptedReply } from './scripted-reply.ts'

const REPLY: ScriptedReply = {
  text: 'I read both files.',
  reasoning: 'Two files are needed.',
  calls: [
    { id: 'call_a', name: 'read_file', arguments: { path: 'größe.md' } },
    { id: 'call_b', name: 'read_file', arguments: { path: 'b.md' } },
  ],
  usage: { input: 12, output: 34 },
}

test('the official openai client reads what the test server streams', async () => {
  const server = await startModelServer({ chats: [openAiReply(REPLY)] })
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const runner = client.chat.completions.stream({
    model: 'test',
    messages: [{ role: 'user', content: 'go' }],
    stream_options: { include_usage: true },
  })
  const { choices, usage } = await runner.finalChatCompletion()
  expect(choices[0]?.message.content).toBe(REPLY.text)
  expect(choices[0]?.finish_reason).toBe('tool_calls')
  expect(choices[0]?.message.tool_calls).toMatchObject([
    { id: 'call_a', function: { name: 'read_file', arguments: '{"path":"größe.md"}' } },
    { id: 'call_b', function: { name: 'read_file', arguments: '{"path":"b.md"}' } },
  ])
  expect(usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 34 })
})

test('the official ollama client reads what the test server streams', async () => {
  const server = await startModelServer({ chats: [ollamaReply(REPLY)] })
  const client = new Ollama({ host: server.url })
  const stream = await client.chat({ model: 'test', messages: [{ role: 'user', content: 'go' }], stream: true })
  let [text, thinking] = ['', '']
  const calls: unknown[] = []
  let counts: unknown
  for await (const part of stream) {
    text += part.message.content
    thinking += part.message.thinking ?? ''
    calls.push(...(part.message.tool_calls ?? []))
    if (part.done) counts = [part.done_reason, part.prompt_eval_count, part.eval_count]
  }
  expect([text, thinking]).toEqual([REPLY.text, REPLY.reasoning])
  expect(calls).toEqual(REPLY.calls?.map(({ name, arguments: given }) => ({ function: { name, arguments: given } })))
  expect(counts).toEqual(['stop', 12, 34])
})
