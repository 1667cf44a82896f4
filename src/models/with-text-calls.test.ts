import { expect, test } from 'vitest'
import { fails, type SeenRequest, startModelServer } from '../../test/support/model-server/model-server.ts'
import { askModel, openTestModel } from '../../test/support/model-server/open-test-model.ts'
import { ollamaReply, openAiReply } from '../../test/support/model-server/scripted-reply.ts'
import { type Model, type ModelCall, ModelError, type ModelMessage } from '../core/ports/model.ts'
import { openAbilityCache } from './abilities/ability-cache.ts'
import { readsTextCalls } from './reads-text-calls.ts'
import { type TextDisplay, type TextReader, withTextCalls } from './with-text-calls.ts'

const TOOLS = [
  { name: 'read_file', description: 'Read a file.', parameters: { type: 'object', properties: { path: {} } } },
]
const PRINTED = '<tool_call>\n{"name":"read_file","arguments":{"path":"a.md"}}\n</tool_call>'
const CALL: ModelCall = { name: 'read_file', arguments: { path: 'a.md' } }

/** Reads the one form that the prompt asks for; the families of real models are read elsewhere. */
const readText: TextReader = (text) => {
  const calls = [...text.matchAll(/<tool_call>\n(.*)\n<\/tool_call>/g)].map(
    ([, json = '']): ModelCall => JSON.parse(json),
  )
  const thought = /<think>(.*)<\/think>/s.exec(text)
  const rest = text.replace(/<tool_call>.*<\/tool_call>|<think>.*<\/think>/gs, '').trim()
  return {
    calls,
    text: rest,
    ...(thought?.[1] && { reasoning: thought[1] }),
    isIncomplete: /<tool_call>[^<]*$/.test(text),
    repairs: calls.map(({ name }) => `Read a call printed as text: ${name}.`),
  }
}

/** The body of a chat as this test reads it. */
function chatOf(request: SeenRequest | undefined): { tools?: unknown; messages: { role: string; content: string }[] } {
  return JSON.parse(JSON.stringify(request?.body))
}

const HISTORY: readonly ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Read both.' },
  {
    role: 'assistant',
    content: 'Reading.',
    calls: [
      { call: '1', ...CALL },
      { call: '2', name: 'read_file', arguments: '{"path":"b.md"}' },
    ],
  },
  { role: 'tool', call: '1', name: 'read_file', content: 'hello' },
  { role: 'tool', call: '2', name: 'read_file', content: 'world' },
]

test.each([
  ['openai', openAiReply],
  ['ollama', ollamaReply],
] as const)('reasoning between tags is kept apart from the text also beside native calls (%s)', async (wire, reply) => {
  const text =
    '<think>Is it a.md? <tool_call>{"name":"read_file","arguments":{"path":"b"}}</tool_call></think>\n\nI look.'
  const server = await startModelServer({
    chats: [reply({ text, calls: [{ name: 'read_file', arguments: { path: 'a.md' } }] })],
  })
  const asked = await askModel(readsTextCalls(openTestModel(wire, server.url)), { tools: TOOLS })
  expect(asked.reply).toMatchObject({ text: 'I look.', reasoning: expect.stringContaining('Is it a.md?'), repairs: [] })
  expect(asked.reply.calls.map(({ name }) => name)).toEqual(['read_file'])
  const shown = asked.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  expect(shown.join('').trim()).toBe('I look.')
})

test('tools of a model without native ones are described in the prompt, with earlier calls and results as text', async () => {
  const server = await startModelServer({
    chats: [ollamaReply({ text: `Now c.\n${PRINTED}` })],
    metadata: { '/api/show': { capabilities: ['completion'] } },
  })
  const model = withTextCalls(openTestModel('ollama', server.url), readText)
  const { reply } = await askModel(model, { tools: TOOLS, messages: HISTORY })
  expect(reply).toMatchObject({
    text: 'Now c.',
    calls: [CALL],
    finish: 'calls',
    repairs: ['Read a call printed as text: read_file.'],
  })
  const { tools, messages } = chatOf(server.chats()[0])
  expect(tools).toBeUndefined()
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(messages[0]?.content).toMatch(/^Be brief\.\n\nYou can call tools\./)
  expect(messages[0]?.content).toContain(JSON.stringify(TOOLS[0]))
  expect(messages[2]?.content).toBe(`Reading.\n${PRINTED}\n${PRINTED.replace('a.md', 'b.md')}`)
  expect(messages[3]?.content).toBe(
    '<tool_response>\nread_file: hello\n</tool_response>\n<tool_response>\nread_file: world\n</tool_response>',
  )
})

test.each([
  ['ollama', 400, '{"error":"gemma:2b does not support tools"}'],
  ['openai', 500, '{"error":{"message":"tools param requires --jinja flag"}}'],
  [
    'openai',
    400,
    '{"message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}',
  ],
  ['openai', 404, '{"error":{"message":"No endpoints found that support tool use."}}'],
] as const)(
  '%s: a model that refuses tools (%i) is asked at once with the tools in the prompt, and that is remembered',
  async (wire, status, body) => {
    const good = wire === 'ollama' ? ollamaReply({ text: PRINTED }) : openAiReply({ text: PRINTED })
    const server = await startModelServer({ chats: [fails(status, body), good] })
    const learned = openAbilityCache(undefined).of('test')
    const model = withTextCalls(openTestModel(wire, server.url, { learned }), readText)
    const { reply, parts } = await askModel(model, { tools: TOOLS })
    expect(reply.calls).toEqual([CALL])
    expect(parts.filter(({ type }) => type === 'retry')).toEqual([])
    expect(learned.read().nativeCalls).toBe(false)
    await askModel(model, { tools: TOOLS })
    expect(server.chats().map(({ body: sent }) => Object.hasOwn(Object(sent), 'tools'))).toEqual([true, false, false])
  },
)

test('calls are read in a reply without native ones, and reasoning in the text joins the other', async () => {
  const text = `<think>Second thought.</think>${PRINTED}`
  const server = await startModelServer({ chats: [openAiReply({ text, reasoning: 'First thought.' })] })
  const { reply } = await askModel(withTextCalls(openTestModel('openai', server.url), readText), { tools: TOOLS })
  expect(reply).toMatchObject({
    calls: [CALL],
    text: '',
    reasoning: 'First thought.\nSecond thought.',
    finish: 'calls',
  })
  expect(server.chats()[0]?.body).toHaveProperty('tools')
})

test('calls that are printed beside native ones stay text', async () => {
  const native = { id: 'a', name: 'read_file', arguments: { path: 'x' } }
  const server = await startModelServer({ chats: [openAiReply({ text: PRINTED, calls: [native] })] })
  const { reply } = await askModel(readsTextCalls(openTestModel('openai', server.url)), { tools: TOOLS })
  expect(reply).toMatchObject({ text: PRINTED, calls: [{ id: 'a', arguments: '{"path":"x"}' }], repairs: [] })
})

test('a printed call that was cut off is marked as such', async () => {
  const server = await startModelServer({ chats: [openAiReply({ text: '<tool_call>\n{"name":"read_file","argu' })] })
  const { reply } = await askModel(withTextCalls(openTestModel('openai', server.url), readText), { tools: TOOLS })
  expect(reply).toMatchObject({ calls: [], finish: 'length' })
})

test('a model that fails within a reply is not asked again, whatever it has turned out to lack', async () => {
  let asked = 0
  const failing: Model = {
    name: 'failing',
    abilities: async () => (asked > 0 ? { nativeCalls: false } : {}),
    async *stream() {
      asked++
      yield { type: 'text', text: 'Let me' }
      throw new ModelError('gone')
    },
  }
  await expect(askModel(withTextCalls(failing, readText), { tools: TOOLS })).rejects.toThrow('gone')
  expect(asked).toBe(1)
})

test('with a display, printed calls stay out of the text that is streamed', async () => {
  const server = await startModelServer({ chats: [openAiReply({ text: `Now a.\n${PRINTED}` })] })
  let held = ''
  const display: TextDisplay = () => ({
    push(piece) {
      held += piece
      return held.includes('<') ? [] : [{ type: 'text', text: piece }]
    },
    end: () => [{ type: 'text', text: '(end)' }],
  })
  const model = withTextCalls(openTestModel('openai', server.url), readText, display)
  const { parts, reply } = await askModel(model, { tools: TOOLS })
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  expect(texts.join('')).toBe('Now a.\n(end)')
  expect(reply.calls).toEqual([CALL])
})
