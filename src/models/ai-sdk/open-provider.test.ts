import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../test/support/model-server/free-port.ts'
import { fails, neverAnswers, stalls, startModelServer } from '../../../test/support/model-server/model-server.ts'
import { askModel } from '../../../test/support/model-server/open-test-model.ts'
import { anthropicReply, anthropicStart, googleReply } from '../../../test/support/model-server/provider-replies.ts'
import type { ModelMessage, ModelReply } from '../../core/ports/model.ts'
import { createAiSdkModel } from './create-ai-sdk-model.ts'
import type { AiSdkPart } from './language-model.ts'
import { explainMissing, openProvider } from './open-provider.ts'

const TOOLS = [
  {
    name: 'read_file',
    description: 'Read a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]
const QUICK = { retries: { attempts: 2, firstSeconds: 0.001, maxSeconds: 1 } }
const PIXEL = { name: 'dot.png', mediaType: 'image/png', content: 'iVBORw0KGgo=', encoding: 'base64' as const }

const open = (provider: 'anthropic' | 'google', url: string, more = {}) =>
  openProvider(provider, {
    name: `${provider}:test`,
    model: provider === 'google' ? 'gemini-2.5-pro' : 'claude-test',
    baseUrl: `${url}/v1`,
    apiKey: 'sk-test',
    ...QUICK,
    ...more,
  })

const FINISH: Extract<AiSdkPart, { type: 'finish' }> = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 2, text: 2, reasoning: 0 },
  },
}

/** The model that the AI SDK offers for tests; it streams these parts each time. */
function mockModel(chunks: AiSdkPart[]): MockLanguageModelV4 {
  return new MockLanguageModelV4({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) })
}

/** The history after a reply whose calls were run. */
function historyAfter(reply: ModelReply): ModelMessage[] {
  const calls = reply.calls.map(({ name, arguments: given }, at) => ({ call: `c${at}`, name, arguments: given }))
  return [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look.', attachments: [PIXEL] },
    { role: 'assistant', content: reply.text, calls, ...(reply.wire !== undefined && { wire: reply.wire }) },
    ...calls.map(({ call, name }) => ({ role: 'tool' as const, call, name, content: 'text', images: [PIXEL] })),
  ]
}

describe('anthropic', () => {
  test('reads text, thinking, calls and tokens, and sends the signature back byte for byte', async () => {
    const server = await startModelServer({ chats: [anthropicReply] })
    const model = await open('anthropic', server.url)
    const { reply } = await askModel(model, { tools: TOOLS })
    expect(reply).toMatchObject({
      text: 'Reading.',
      reasoning: 'Both files.',
      finish: 'calls',
      repairs: [],
      usage: { input: 10, output: 20 },
    })
    expect(reply.calls).toEqual([
      { id: 'toolu_0', name: 'read_file', arguments: '{"path":"a.md"}' },
      { id: 'toolu_1', name: 'read_file', arguments: '{"path":"b.md"}' },
    ])
    // The log keeps it as JSON between two runs.
    const kept: ModelReply = JSON.parse(JSON.stringify(reply))
    await askModel(model, { tools: TOOLS, messages: historyAfter(kept) })
    const sent = server.chats()[1]
    expect(sent?.headers['x-api-key']).toBe('sk-test')
    expect(sent?.body).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image', source: { data: PIXEL.content } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Both files.', signature: 'EqQB+/=sig' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'c0', name: 'read_file', input: { path: 'a.md' } },
            { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'b.md' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c0',
              content: [
                { type: 'text', text: 'text' },
                { type: 'image', source: { data: PIXEL.content } },
              ],
            },
            { type: 'tool_result', tool_use_id: 'c1' },
          ],
        },
      ],
      tools: [{ name: 'read_file', input_schema: TOOLS[0]?.parameters }],
    })
  })

  test('a signature of another model stays out', async () => {
    const server = await startModelServer({ chats: [anthropicReply] })
    const { reply } = await askModel(await open('anthropic', server.url))
    await askModel(await open('anthropic', server.url, { name: 'other' }), { messages: historyAfter(reply) })
    expect(JSON.stringify(server.chats()[1]?.body)).not.toContain('EqQB')
  })

  test('429 and 529 are tried again, a refused key is not', async () => {
    const overloaded = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    const json = { 'content-type': 'application/json' }
    const server = await startModelServer({
      chats: [
        fails(529, overloaded, json),
        anthropicReply,
        fails(401, '{"error":{"message":"invalid x-api-key"}}', json),
      ],
    })
    const model = await open('anthropic', server.url)
    const { parts } = await askModel(model)
    expect(parts[0]).toMatchObject({ type: 'retry', reason: expect.stringContaining('529: Overloaded') })
    await expect(askModel(model)).rejects.toThrow(/401: invalid x-api-key/)
    expect(server.chats()).toHaveLength(3)
  })

  test('a provider that never answers, or falls silent, is given up after the limit', async () => {
    const server = await startModelServer({ chats: [neverAnswers, stalls(anthropicStart)] })
    const limits = { connectSeconds: 5, firstByteSeconds: 0.05, idleSeconds: 0.05 }
    const quick = await open('anthropic', server.url, { limits })
    await expect(askModel(quick)).rejects.toThrow(/did not answer within 0.05 seconds/)
    const idle = await open('anthropic', server.url, { limits: { ...limits, firstByteSeconds: 5 } })
    await expect(askModel(idle)).rejects.toThrow(/sent nothing for 0.05 seconds/)
    expect(server.chats()).toHaveLength(2)
  })

  test.each([
    ['before the answer', neverAnswers],
    ['within it', stalls(anthropicStart)],
  ])('cancelling closes the connection, %s', async (_, chat) => {
    const server = await startModelServer({ chats: [chat] })
    const controller = new AbortController()
    const asked = askModel(await open('anthropic', server.url), { signal: controller.signal })
    asked.catch(() => undefined)
    await expect.poll(() => server.chats().length).toBe(1)
    controller.abort()
    await expect(asked).rejects.toThrow('The request was cancelled.')
    await server.clientLeft
  })

  test('where nothing listens it is tried again, and the error says so', async () => {
    const model = await open('anthropic', `http://127.0.0.1:${await freePort()}`)
    const stream = model.stream({ messages: [], tools: [], signal: new AbortController().signal })
    const parts = stream[Symbol.asyncIterator]()
    expect((await parts.next()).value).toMatchObject({
      type: 'retry',
      reason: expect.stringContaining('does not answer'),
    })
    await expect(parts.next()).rejects.toThrow(/does not answer: .*(ECONNREFUSED|connect)/)
  })
})

test('google: reads text, thoughts, calls and tokens, and sends the signature back byte for byte', async () => {
  const server = await startModelServer({ chats: [googleReply] })
  const model = await open('google', server.url)
  const { reply } = await askModel(model, { tools: TOOLS })
  expect(reply).toMatchObject({
    text: 'Reading.',
    reasoning: 'One file.',
    finish: 'calls',
    usage: { input: 7, output: 9 },
  })
  expect(reply.calls).toMatchObject([{ name: 'read_file', arguments: '{"path":"a.md"}' }])
  await askModel(model, { tools: TOOLS, messages: historyAfter(JSON.parse(JSON.stringify(reply))) })
  const body = JSON.stringify(server.chats()[1]?.body)
  expect(body).toContain('"functionCall":{"id":"c0","name":"read_file","args":{"path":"a.md"}}')
  expect(body).toContain('"thoughtSignature":"Q2hvc2Vu+/="')
  expect(body).toContain(`"data":"${PIXEL.content}"`)
})

test('any language model of the AI SDK can be given', async () => {
  const mock = mockModel([
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hello' },
    { type: 'text-end', id: '1' },
    { ...FINISH, finishReason: { unified: 'length', raw: 'max' } },
  ])
  const model = createAiSdkModel(mock, { context: 1000, price: { input: 1_000_000, output: 0 } })
  const { reply } = await askModel(model)
  expect(reply).toEqual({
    text: 'Hello',
    calls: [],
    finish: 'length',
    usage: { input: 1, output: 2, cost: 1 },
    repairs: [],
  })
  expect(await model.abilities()).toEqual({ nativeCalls: true, images: true, context: 1000 })
  expect(model.name).toBe('mock-provider:mock-model-id')
})

test('what a provider adds at the start, within and at the end of a part is joined, and goes back', async () => {
  const mock = mockModel([
    { type: 'reasoning-start', id: 'r', providerMetadata: { p: { item: 'rs_1' } } },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.', providerMetadata: { p: { part: 1 } } },
    { type: 'reasoning-end', id: 'r', providerMetadata: { p: { signature: 'c2ln' }, q: { mark: true } } },
    { type: 'tool-call', toolCallId: 'a', toolName: 'read_file', input: '{}' },
    FINISH,
  ])
  const model = createAiSdkModel(mock)
  const { reply } = await askModel(model)
  await askModel(model, { messages: historyAfter(reply) })
  expect(mock.doStreamCalls[1]?.prompt[2]?.content).toEqual([
    {
      type: 'reasoning',
      text: 'Hm.',
      providerOptions: { p: { item: 'rs_1', part: 1, signature: 'c2ln' }, q: { mark: true } },
    },
    { type: 'tool-call', toolCallId: 'c0', toolName: 'read_file', input: {} },
  ])
})

test('a missing package gives the line that installs it', async () => {
  const missing = await import(`@ai-sdk/${'not-installed'}`).catch((thrown: unknown) => thrown)
  expect(explainMissing(missing, '@ai-sdk/not-installed')).toMatchObject({
    message: expect.stringContaining('npm install @ai-sdk/not-installed'),
  })
  expect(explainMissing(missing, '@ai-sdk/anthropic')).toBe(missing)
})
