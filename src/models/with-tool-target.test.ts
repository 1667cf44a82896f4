import { describe, expect, test } from 'vitest'
import { type ModelServer, sends, startModelServer } from '../../test/support/model-server/model-server.ts'
import { askModel, openTestModel } from '../../test/support/model-server/open-test-model.ts'
import { anthropicReply, googleReply } from '../../test/support/model-server/provider-replies.ts'
import { ollamaReply, openAiReply } from '../../test/support/model-server/scripted-reply.ts'
import type { ModelMessage, ToolDefinition } from '../core/ports/model.ts'
import { isRecord } from '../core/text/json.ts'
import { openProvider } from './ai-sdk/open-provider.ts'

const define = (name: string, parameters: ToolDefinition['parameters']): ToolDefinition => {
  return { name, description: `The tool ${name}.`, parameters }
}
const PATH = { type: 'string', description: 'A file' }
const READ = define('read_file', {
  type: 'object',
  properties: { path: PATH, limit: { type: 'integer', minimum: 1 } },
  required: ['path'],
  additionalProperties: false,
})
const EITHER = define('either', {
  type: 'object',
  anyOf: [
    { properties: { path: PATH }, required: ['path'] },
    { properties: { url: { type: 'string' } }, required: ['url'] },
  ],
})
const ANY_KEY = define('any_key', { type: 'object', additionalProperties: { type: 'string' } })

/** The definitions that a server was sent, as it got them. */
function sentTools({ chats }: ModelServer): readonly unknown[] {
  const body = chats()[0]?.body
  const tools: readonly unknown[] = isRecord(body) && Array.isArray(body.tools) ? body.tools : []
  return tools.map((tool) => (isRecord(tool) ? (tool.function ?? tool.functionDeclarations) : undefined))
}

test('Ollama is sent what its server hands on to a template; limits are written into descriptions', async () => {
  const server = await startModelServer({ chats: [ollamaReply({ text: 'ok' })] })
  await askModel(openTestModel('ollama', server.url), { tools: [READ] })
  expect(sentTools(server)).toEqual([
    {
      name: 'read_file',
      description: 'The tool read_file.',
      parameters: {
        type: 'object',
        properties: { path: PATH, limit: { type: 'integer', description: 'at least 1' } },
        required: ['path'],
      },
    },
  ])
})

test('an OpenAI-compatible server is sent no alternatives at the root, and everything below as it is', async () => {
  const server = await startModelServer({ chats: [openAiReply({ text: 'ok' })] })
  await askModel(openTestModel('openai', server.url), { tools: [READ, EITHER] })
  expect(sentTools(server)).toEqual([
    { ...READ },
    {
      ...EITHER,
      parameters: { type: 'object', properties: { path: PATH, url: { type: 'string' } } },
    },
  ])
})

describe('strict', () => {
  test('makes every parameter required, and the nulls that stand for what is left out are taken away', async () => {
    const calls = [{ name: 'read_file', arguments: { path: 'a', limit: null } }]
    const server = await startModelServer({ chats: [openAiReply({ calls })] })
    const model = openTestModel('openai', server.url, { strict: true })
    const { reply } = await askModel(model, { tools: [READ] })
    expect(sentTools(server)).toMatchObject([
      {
        strict: true,
        parameters: { required: ['path', 'limit'], properties: { limit: { type: ['integer', 'null'] } } },
      },
    ])
    expect(reply.calls).toEqual([{ id: 'call_1', name: 'read_file', arguments: { path: 'a' } }])
  })

  test('is left out for a tool that it cannot express, whose arguments stay as they came', async () => {
    const calls = [{ name: 'any_key', arguments: { a: null } }]
    const server = await startModelServer({ chats: [openAiReply({ calls })] })
    const model = openTestModel('openai', server.url, { strict: true })
    const { reply } = await askModel(model, { tools: [ANY_KEY] })
    expect(sentTools(server)).toEqual([{ ...ANY_KEY, strict: false }])
    expect(reply.calls[0]?.arguments).toBe('{"a":null}')
  })

  test('keeps arguments that are no JSON for the pipeline to repair', async () => {
    const text = `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"read_file","arguments":"{'path': 'a'}"}}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n`
    const server = await startModelServer({ chats: [(response) => void response.end(text)] })
    const model = openTestModel('openai', server.url, { strict: true })
    const { reply } = await askModel(model, { tools: [READ] })
    expect(reply.calls[0]?.arguments).toBe("{'path': 'a'}")
  })
})

const open = (provider: 'anthropic' | 'google', url: string) =>
  openProvider(provider, {
    name: `${provider}:test`,
    model: provider === 'google' ? 'gemini-2.5-pro' : 'claude-test',
    baseUrl: `${url}/v1`,
    apiKey: 'sk-test',
  })

describe('names', () => {
  const LIVES = define('9_lives', READ.parameters)
  const HISTORY: readonly ModelMessage[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', calls: [{ call: 'c1', name: '9_lives', arguments: { path: 'a' } }] },
    { role: 'tool', call: 'c1', name: '9_lives', content: 'done' },
  ]

  test('Google is sent a legal name, in the history too, and its calls come back by the name that was given', async () => {
    const part = { functionCall: { name: '_9_lives', args: { path: 'b' } } }
    const reply = { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }
    const server = await startModelServer({ chats: [sends(`data: ${JSON.stringify(reply)}\n\n`)] })
    const asked = await askModel(await open('google', server.url), { tools: [LIVES, READ], messages: HISTORY })
    expect(server.chats()[0]?.body).toMatchObject({
      contents: [
        {},
        { parts: [{ functionCall: { name: '_9_lives' } }] },
        { parts: [{ functionResponse: { name: '_9_lives' } }] },
      ],
      tools: [{ functionDeclarations: [{ name: '_9_lives' }, { name: 'read_file' }] }],
    })
    expect(asked.reply.calls).toMatchObject([{ name: '9_lives', arguments: '{"path":"b"}' }])
  })

  test('a legal name that another tool has is not given twice', async () => {
    const server = await startModelServer({ chats: [googleReply] })
    const model = await open('google', server.url)
    await askModel(model, { tools: [LIVES, define('_9_lives', READ.parameters)], messages: HISTORY })
    const renamed = { name: expect.stringMatching(/^_9_lives_[0-9a-f]{8}$/) }
    expect(sentTools(server)).toMatchObject([[renamed, { name: '_9_lives' }]])
  })
})

test('a parameter whose name Anthropic refuses is left out, since it would refuse every tool', async () => {
  const server = await startModelServer({ chats: [anthropicReply] })
  const odd = define('odd', { type: 'object', properties: { 'a key': { type: 'string' }, b: { type: 'string' } } })
  await askModel(await open('anthropic', server.url), { tools: [odd] })
  expect(server.chats()[0]?.body).toMatchObject({
    tools: [{ input_schema: { properties: { b: { type: 'string' } } } }],
  })
  expect(JSON.stringify(server.chats()[0]?.body)).not.toContain('a key')
})

test.for(['anthropic', 'google'] as const)('%s is told which results are failures', async (provider) => {
  const server = await startModelServer({ chats: [provider === 'anthropic' ? anthropicReply : googleReply] })
  const call = { name: 'read_file', arguments: { path: 'a' } }
  const messages: readonly ModelMessage[] = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: '',
      calls: [
        { call: 'c1', ...call },
        { call: 'c2', ...call },
      ],
    },
    { role: 'tool', call: 'c1', name: 'read_file', content: 'text' },
    { role: 'tool', call: 'c2', name: 'read_file', content: 'There is no a.', code: 'FILE_NOT_FOUND' },
  ]
  await askModel(await open(provider, server.url), { tools: [READ], messages })
  const body = JSON.stringify(server.chats()[0]?.body)
  const failure = provider === 'anthropic' ? '"content":"There is no a.","is_error":true' : '"error":"There is no a."'
  expect(body.split(failure)).toHaveLength(2)
  expect(body.split(provider === 'anthropic' ? 'is_error' : '"error"')).toHaveLength(2)
})
