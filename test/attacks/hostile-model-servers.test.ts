import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelError } from '../../src/core/ports/model.ts'
import { isRecord } from '../../src/core/text/json.ts'
import { writePrompt } from '../../src/models/ai-sdk/write-prompt.ts'
import { readOllamaReply } from '../../src/models/ollama/read-reply.ts'
import { writeOllamaMessages } from '../../src/models/ollama/write-request.ts'
import { readOpenAiReply } from '../../src/models/openai/read-reply.ts'
import { writeOpenAiMessages } from '../../src/models/openai/write-request.ts'
import { createReplyCollector } from '../../src/models/reply/collect-reply.ts'

/** A value in which one member, at any depth, is replaced by anything that JSON can carry. */
function altered(value: unknown): fc.Arbitrary<unknown> {
  const inside = isRecord(value)
    ? Object.entries(value).map(([key, member]) => altered(member).map((other) => ({ ...value, [key]: other })))
    : Array.isArray(value)
      ? value.map((member, at) => altered(member).map((other) => value.with(at, other)))
      : []
  return fc.oneof(fc.jsonValue({ maxDepth: 2 }), ...inside)
}

const CHUNK = {
  choices: [
    {
      index: 0,
      delta: {
        content: [{ type: 'thinking', thinking: [{ text: 'x' }] }],
        reasoning_content: 'x',
        reasoning_details: [{ type: 'a', index: 0, text: 'x' }],
        tool_calls: [{ index: 0, id: 'a', extra_content: {}, function: { name: 'f', arguments: '{}' } }],
        function_call: { name: 'f', arguments: '{}' },
      },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2 },
}
const LINE = {
  message: { content: 'x', thinking: 'x', tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 1,
}

/** Reads a stream; resolves to true where it ends in a well-formed reply or a ModelError, and rejects with anything else. */
async function isHandled(read: typeof readOpenAiReply, bytes: Uint8Array): Promise<boolean> {
  const collector = createReplyCollector()
  const body = (async function* () {
    yield bytes
  })()
  try {
    for await (const part of read({ body, expectEnd: () => undefined }, collector))
      if (part.type === 'text' || part.type === 'reasoning') expect(part.text).toBeTypeOf('string')
    const { text, calls, repairs } = collector.read()
    expect([typeof text, ...calls.map(({ name }) => typeof name), ...repairs.map((one) => typeof one)]).toEqual(
      [text, ...calls, ...repairs].map(() => 'string'),
    )
    return true
  } catch (thrown) {
    if (thrown instanceof ModelError) return true
    throw thrown
  }
}

test('openai: whatever a chunk holds, there is a reply or an error in words', async () => {
  const chunks = fc.array(altered(CHUNK), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(chunks, (values) => {
      const text = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
      return isHandled(readOpenAiReply, Buffer.from(`${text}data: [DONE]\n\n`))
    }),
    { numRuns: 500 },
  )
})

test('ollama: whatever a line holds, there is a reply or an error in words', async () => {
  const lines = fc.array(altered(LINE), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(lines, (values) =>
      isHandled(readOllamaReply, Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))),
    ),
    { numRuns: 500 },
  )
})

test.each([
  ['openai', readOpenAiReply],
  ['ollama', readOllamaReply],
] as const)('%s: any bytes at all end in a reply or an error in words', async (_, read) => {
  const pieces = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(
        fc.constantFrom('data: ', '{', '}', '[DONE]', '\n', '\r', ':', 'error: ', '"', '<html>', '\uFEFF', '\u0000'),
      )
      .map((words) => Buffer.from(words.join(''))),
  )
  await fc.assert(
    fc.asyncProperty(pieces, (bytes) => isHandled(read, bytes)),
    { numRuns: 500 },
  )
})

test('opaque data of a message that the log gives back altered breaks no request', () => {
  const wires = altered({
    model: 'test',
    reasoningMember: 'reasoning',
    message: { reasoning_details: [], role: 'user', content: 'z', tool_calls: [] },
    calls: [{ extra_content: {} }],
    ids: ['given'],
    parts: [{ type: 'reasoning', text: 'x', data: { p: {} } }, { type: 'call', data: { p: {} } }, { type: 'text' }],
  })
  fc.assert(
    fc.property(wires, (wire) => {
      const calls = [{ call: 'c', name: 'f', arguments: {} }]
      const messages = [{ role: 'assistant' as const, content: 'x', reasoning: 'y', calls, wire }]
      const history = { name: 'test', seesImages: true }
      const [openAi, ollama, aiSdk] = [
        writeOpenAiMessages(messages, history),
        writeOllamaMessages(messages, true),
        writePrompt(messages, history),
      ]
      expect(openAi).toMatchObject([
        {
          ...{ role: 'assistant', content: 'x' },
          tool_calls: [{ id: expect.stringMatching(/./s), function: { name: 'f', arguments: '{}' } }],
        },
      ])
      expect(ollama).toMatchObject([{ role: 'assistant', content: 'x' }])
      expect(JSON.stringify(aiSdk)).toContain('"toolCallId":"c"')
    }),
    { numRuns: 500 },
  )
})
