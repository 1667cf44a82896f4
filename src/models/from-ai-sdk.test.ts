import { createAnthropic } from '@ai-sdk/anthropic'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, expectTypeOf, test } from 'vitest'
import { startModelServer } from '../../test/support/model-server/model-server.ts'
import { askModel } from '../../test/support/model-server/open-test-model.ts'
import { anthropicReply } from '../../test/support/model-server/provider-replies.ts'
import { type AiSdkLanguageModel, fromAiSdk } from '../index.ts'

const READ = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

test('a model of a provider package works as it is, and the log calls it by provider and model', async () => {
  const server = await startModelServer({ chats: [anthropicReply] })
  const anthropic = createAnthropic({ apiKey: 'sk-test', baseURL: `${server.url}/v1` })
  // Holds when `tsc --noEmit` is clean.
  expectTypeOf(anthropic('claude-test')).toExtend<AiSdkLanguageModel>()
  const model = fromAiSdk(anthropic('claude-test'), { context: 1000 })
  expect(model.name).toBe('anthropic.messages:claude-test')
  expect(await model.abilities()).toMatchObject({ nativeCalls: true, context: 1000 })
  const { reply } = await askModel(model, { tools: [READ] })
  expect(reply.calls).toMatchObject([{ name: 'read_file' }, { name: 'read_file' }])
})

test('a call that such a model prints as text is read', async () => {
  const chunks = [
    { type: 'text-start' as const, id: '1' },
    {
      type: 'text-delta' as const,
      id: '1',
      delta: `<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>`,
    },
    { type: 'text-end' as const, id: '1' },
    {
      type: 'finish' as const,
      finishReason: { unified: 'stop' as const, raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 2, text: 2, reasoning: 0 },
      },
    },
  ]
  const mock = new MockLanguageModelV4({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) })
  const { reply } = await askModel(fromAiSdk(mock, { name: 'mine' }), { tools: [READ] })
  expect(reply).toMatchObject({ calls: [{ name: 'read_file', arguments: { path: 'a' } }], text: '', finish: 'calls' })
})

test('a model of another specification is refused at once, with what to do', () => {
  const old = { specificationVersion: 'v2', provider: 'p', modelId: 'm', doStream: () => Promise.reject() }
  expect(() => fromAiSdk(old)).toThrow('p:m follows specification v2 of the AI SDK; v4 is needed. Update its package.')
})
