import { expect, test } from 'vitest'
import type { ModelMessage } from '../../src/core/ports/model.ts'
import { openModel } from '../../src/models/open-model.ts'
import { type Answer, sends, startModelServer } from '../support/model-server/model-server.ts'
import { askModel } from '../support/model-server/open-test-model.ts'
import { ollamaReply, openAiReply } from '../support/model-server/scripted-reply.ts'
import { type Complete, openEngine } from './open-engine.ts'

const PROVIDERS = ['ollama', 'openai', 'anthropic', 'google'] as const
type Provider = (typeof PROVIDERS)[number]

const READ = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const CALL = 'root ::= "{\\"path\\": \\"" ("a.txt" | "b.txt") "\\"}"'
const ANSWER = 'root ::= "The file says " [a-z] [a-z] [a-z] "."'

interface Generated {
  readonly text: string
  readonly path?: string
}

/** The reply as a provider streams it. */
const WRITERS: Readonly<Record<Provider, (generated: Generated) => Answer>> = {
  ollama: ({ text, path }) => ollamaReply({ text, calls: path ? [{ name: 'read_file', arguments: { path } }] : [] }),
  openai: ({ text, path }) => openAiReply({ text, calls: path ? [{ name: 'read_file', arguments: { path } }] : [] }),
  anthropic: ({ text, path }) => {
    const block = path ? { type: 'tool_use', id: 't1', name: 'read_file', input: {} } : { type: 'text', text: '' }
    const delta = path
      ? { type: 'input_json_delta', partial_json: JSON.stringify({ path }) }
      : { type: 'text_delta', text }
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'tiny',
      content: [],
      stop_reason: null,
      usage,
    }
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: path ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    return sends(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
  },
  google: ({ text, path }) => {
    const part = path ? { functionCall: { name: 'read_file', args: { path } } } : { text }
    const chunk = { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }
    return sends(`data: ${JSON.stringify(chunk)}\n\n`)
  },
}

/** Answers with a call that the engine writes, and with a text once the result is in the history. */
function answerWith(complete: Complete, provider: Provider): Answer {
  return async (response, request) => {
    const prompt = JSON.stringify(request.body)
    expect(prompt).toContain('read_file')
    const isAnswered = prompt.includes('the result of the tool')
    const written = await complete(prompt.slice(-1000), isAnswered ? ANSWER : CALL)
    const generated = isAnswered ? { text: written } : { text: '', path: String(JSON.parse(written).path) }
    await WRITERS[provider](generated)(response, request)
  }
}

test.skipIf(process.env.HAFT_ENGINE === undefined).for(PROVIDERS)(
  '%s: a real engine makes a call, gets its result and answers',
  { timeout: 60_000 },
  async (provider) => {
    const complete = await openEngine(process.env.HAFT_ENGINE ?? '')
    const server = await startModelServer({ chats: [answerWith(complete, provider)] })
    const baseUrl = provider === 'ollama' ? server.url : `${server.url}/v1`
    const settings = { provider, model: 'tiny', baseUrl, apiKeyEnv: 'KEY' }
    const model = await openModel('tiny', { models: { tiny: settings }, env: { KEY: 'k' }, folder: '.' })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read a file.' }]
    const { reply } = await askModel(model, { messages, tools: [READ] })
    expect(reply).toMatchObject({ finish: 'calls', calls: [{ name: 'read_file' }] })
    const given = reply.calls[0]?.arguments
    expect(typeof given === 'string' ? JSON.parse(given) : given).toEqual({
      path: expect.stringMatching(/^[ab]\.txt$/),
    })
    messages.push({
      role: 'assistant',
      content: '',
      calls: [{ call: reply.calls[0]?.id ?? 'c1', name: 'read_file', arguments: given }],
      ...(reply.wire !== undefined && { wire: reply.wire }),
    })
    messages.push({
      role: 'tool',
      call: reply.calls[0]?.id ?? 'c1',
      name: 'read_file',
      content: 'the result of the tool',
    })
    const answered = await askModel(model, { messages, tools: [READ] })
    expect(answered.reply.text).toMatch(/^The file says [a-z]{3}\.$/)
  },
)
