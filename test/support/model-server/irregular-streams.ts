import type { ModelCall } from '../../../src/core/ports/model.ts'

/** What real servers send that the documentation does not foresee, byte for byte, and how it must be read. */
export interface IrregularStream {
  readonly name: string
  readonly wire: 'openai' | 'ollama'
  readonly bytes: string
  /** What the reply must hold; `error` where there must be none. */
  readonly reply?: {
    readonly text?: string
    readonly reasoning?: string
    readonly calls?: readonly ModelCall[]
    readonly finish?: 'stop' | 'calls' | 'length'
    readonly repairs?: readonly string[]
    readonly wire?: unknown
  }
  readonly error?: RegExp
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const delta = (content: object, finish: string | null = null) =>
  data({ choices: [{ index: 0, delta: content, finish_reason: finish }] })
const call = (piece: object, finish: string | null = null) => delta({ tool_calls: [piece] }, finish)
const fn = (name: string | undefined, given?: unknown) => ({
  function: { ...(name !== undefined && { name }), ...(given !== undefined && { arguments: given }) },
})
const DONE = 'data: [DONE]\n\n'
const END = `${delta({}, 'tool_calls')}${DONE}`
const STOP = `${delta({}, 'stop')}${DONE}`
const SHARED = 'Several calls shared one index; they were separated.'
const SAME_ID = 'Two calls had the same id; the second id was dropped.'
const MARKED = 'The reply was marked as finished although it has calls.'

const OPENAI: readonly Omit<IrregularStream, 'wire'>[] = [
  {
    name: 'arguments split over chunks, also inside a character of several bytes',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '') })}${call({ index: 0, ...fn(undefined, '{"path":"gr') })}${call({ index: 0, ...fn(undefined, 'öße 🙂"}') })}${END}`,
    reply: { calls: [{ id: 'a', name: 'read', arguments: '{"path":"größe 🙂"}' }], finish: 'calls', repairs: [] },
  },
  {
    name: 'arguments as an object',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', { path: 'x' }) })}${END}`,
    reply: { calls: [{ id: 'a', name: 'read', arguments: { path: 'x' } }], finish: 'calls' },
  },
  {
    name: 'no ids at all',
    bytes: `${call({ index: 0, ...fn('read', '{"path":"x"}') })}${call({ index: 1, ...fn('list', '{}') })}${END}`,
    reply: {
      calls: [
        { name: 'read', arguments: '{"path":"x"}' },
        { name: 'list', arguments: '{}' },
      ],
    },
  },
  {
    name: 'neither ids nor indexes',
    bytes: `${call(fn('read', '{"pa'))}${call(fn(undefined, 'th":"x"}'))}${call(fn('list', '{}'))}${END}`,
    reply: {
      calls: [
        { name: 'read', arguments: '{"path":"x"}' },
        { name: 'list', arguments: '{}' },
      ],
    },
  },
  {
    name: 'the same id for two calls',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '{}') })}${call({ index: 1, id: 'a', ...fn('list', '{}') })}${END}`,
    reply: {
      calls: [
        { id: 'a', name: 'read', arguments: '{}' },
        { name: 'list', arguments: '{}' },
      ],
      repairs: [SAME_ID],
    },
  },
  {
    name: 'several calls that share an index, separated by their ids',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '{"path":"x"}') })}${call({ index: 0, id: 'b', ...fn('read', '{"path":"y"}') })}${END}`,
    reply: {
      calls: [
        { id: 'a', name: 'read', arguments: '{"path":"x"}' },
        { id: 'b', name: 'read', arguments: '{"path":"y"}' },
      ],
      repairs: [SHARED],
    },
  },
  {
    name: 'several calls that share an index and have no ids',
    bytes: `${call({ index: 0, ...fn('read', '{"path":"x"}') })}${call({ index: 0, ...fn('read', '{"path":"y"}') })}${END}`,
    reply: {
      calls: [
        { name: 'read', arguments: '{"path":"x"}' },
        { name: 'read', arguments: '{"path":"y"}' },
      ],
      repairs: [SHARED],
    },
  },
  {
    name: 'id and name repeated in every chunk',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '{"pa') })}${call({ index: 0, id: 'a', ...fn('read', 'th":1}') })}${call({ index: 0, id: 'a', ...fn('read', '') })}${END}`,
    reply: { calls: [{ id: 'a', name: 'read', arguments: '{"path":1}' }], repairs: [] },
  },
  {
    name: 'the full arguments once more at the end',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '{"p":1}') })}${call({ index: 0, ...fn(undefined, '{"p":1}') })}${END}`,
    reply: { calls: [{ id: 'a', name: 'read', arguments: '{"p":1}' }] },
  },
  {
    name: 'a new id with every piece of one call',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '{"p"') })}${call({ index: 0, id: 'b', ...fn(undefined, ':1}') })}${END}`,
    reply: { calls: [{ id: 'a', name: 'read', arguments: '{"p":1}' }] },
  },
  {
    name: 'a call without a name',
    bytes: `${call({ index: 0, id: 'a', ...fn('', '{}') })}${delta({ content: 'hm' })}${STOP}`,
    reply: { text: 'hm', calls: [], finish: 'stop', repairs: ['A call without a name was left out.'] },
  },
  {
    name: 'the old function_call',
    bytes: `${delta({ function_call: { name: 'read', arguments: '{"p":' } })}${delta({ function_call: { arguments: '1}' } }, 'function_call')}${DONE}`,
    reply: { calls: [{ name: 'read', arguments: '{"p":1}' }], finish: 'calls' },
  },
  {
    name: 'null content and null calls',
    bytes: `${delta({ role: 'assistant', content: null, tool_calls: null, reasoning_content: null })}${delta({ content: 'ok' })}${STOP}`,
    reply: { text: 'ok', calls: [], finish: 'stop', repairs: [] },
  },
  {
    name: 'no [DONE]',
    bytes: `${delta({ content: 'ok' })}${delta({}, 'stop')}`,
    reply: { text: 'ok', finish: 'stop' },
  },
  { name: 'no finish_reason', bytes: `${delta({ content: 'ok' })}${DONE}`, reply: { text: 'ok', finish: 'stop' } },
  {
    name: 'no empty line after the last event',
    bytes: `${delta({ content: 'ok' })}data: [DONE]`,
    reply: { text: 'ok', finish: 'stop' },
  },
  {
    name: 'no empty line between events, and returns before line feeds',
    bytes: `${delta({ content: 'o' }).trimEnd()}\r\n${delta({ content: 'k' }, 'stop').trimEnd()}\r\n\r\ndata: [DONE]\r\n\r\n`,
    reply: { text: 'ok', finish: 'stop' },
  },
  {
    name: 'finish_reason "stop" with calls',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '{}') })}${STOP}`,
    reply: { calls: [{ id: 'a', name: 'read', arguments: '{}' }], finish: 'calls', repairs: [MARKED] },
  },
  {
    name: 'a reply cut off by the limit of tokens, in the middle of a call',
    bytes: `${call({ index: 0, id: 'a', ...fn('read', '{"path":"x') })}${delta({}, 'length')}${DONE}`,
    reply: { calls: [{ id: 'a', name: 'read', arguments: '{"path":"x' }], finish: 'length' },
  },
  {
    name: 'comments and empty lines that keep the connection alive',
    bytes: `: keep-alive\n\n\n\n${delta({ content: 'ok' })}: OPENROUTER PROCESSING\n\n${STOP}`,
    reply: { text: 'ok', repairs: [] },
  },
  {
    name: 'an event that is not JSON',
    bytes: `data: ping\n\n${delta({ content: 'ok' })}${STOP}`,
    reply: { text: 'ok', repairs: ['An event that is not JSON was left out.'] },
  },
  {
    name: 'reasoning in reasoning_content, whose member is remembered',
    bytes: `${delta({ reasoning_content: 'Hm, ' })}${delta({ reasoning_content: 'yes.' })}${delta({ content: 'ok' })}${STOP}`,
    reply: { text: 'ok', reasoning: 'Hm, yes.', wire: { reasoningMember: 'reasoning_content' } },
  },
  {
    name: 'reasoning in reasoning, with details and signatures in pieces',
    bytes: `${delta({ reasoning: 'A', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'A' }] })}${delta({ reasoning: 'B', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'B', signature: 'sig==' }] })}${delta({ content: 'ok' })}${STOP}`,
    reply: {
      text: 'ok',
      reasoning: 'AB',
      wire: {
        reasoningMember: 'reasoning',
        message: { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'AB', signature: 'sig==' }] },
      },
    },
  },
  {
    name: 'a signature on a call',
    bytes: `${call({ index: 0, id: 'a', extra_content: { google: { thought_signature: 'c2ln+/=' } }, ...fn('read', '{}') })}${END}`,
    reply: {
      calls: [{ id: 'a', name: 'read', arguments: '{}' }],
      wire: { calls: [{ extra_content: { google: { thought_signature: 'c2ln+/=' } } }], ids: ['a'] },
    },
  },
  {
    name: 'content as a list of parts, with thinking in it',
    bytes: `${delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] })}${delta({ content: [{ type: 'text', text: 'ok' }] })}${STOP}`,
    reply: { text: 'ok', reasoning: 'Hm.' },
  },
  {
    name: 'a full reply in place of a stream',
    bytes: JSON.stringify(
      {
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'a', type: 'function', ...fn('read', '{}') }],
            },
            finish_reason: 'tool_calls',
          },
        ],
      },
      undefined,
      2,
    ),
    reply: { text: '', calls: [{ id: 'a', name: 'read', arguments: '{}' }], finish: 'calls' },
  },
  {
    name: 'an error object in the middle of a stream',
    bytes: `${delta({ content: 'Let me' })}${data({ error: { message: 'CUDA out of memory', code: 500 } })}`,
    error: /stopped with an error: CUDA out of memory/,
  },
  {
    name: 'an error as a field of its own',
    bytes: `${delta({ content: 'Let me' })}error: {"code":500,"message":"slot unavailable"}\n\n`,
    error: /stopped with an error: slot unavailable/,
  },
  {
    name: 'an error as a bare line',
    bytes: `${delta({ content: 'Let me' })}{"error":"the runner has stopped"}\n`,
    error: /stopped with an error: the runner has stopped/,
  },
  {
    name: 'a server that closes in the middle of a text',
    bytes: `${delta({ content: 'Let me' })}`,
    error: /closed the connection before its reply was complete/,
  },
  {
    name: 'a server that closes in the middle of an event',
    bytes: `${call({ index: 0, id: 'a', ...fn('delete', '{"path":"/"}') })}data: {"choices":[{"del`,
    error: /closed the connection before its reply was complete/,
  },
  { name: 'nothing at all', bytes: '', error: /closed the connection before its reply was complete/ },
  {
    name: 'a web page',
    bytes: '<!DOCTYPE html>\n<html><head><title>Sign in</title></head>\n<body>data: x</body></html>\n',
    error: /web page/,
  },
]

const line = (message: object, rest: object = { done: false }) => `${JSON.stringify({ message, ...rest })}\n`
const FINISHED = line({ role: 'assistant', content: '' }, { done: true, done_reason: 'stop' })

const OLLAMA: readonly Omit<IrregularStream, 'wire'>[] = [
  {
    name: 'characters of several bytes, and returns before line feeds',
    bytes: `${line({ content: 'größe ' }).trimEnd()}\r\n${line({ content: '🙂' })}${FINISHED}`,
    reply: { text: 'größe 🙂', finish: 'stop', repairs: [] },
  },
  {
    name: 'arguments as text in place of an object',
    bytes: `${line({ content: '', tool_calls: [fn('read', '{"path":"x"}')] })}${FINISHED}`,
    reply: { calls: [{ name: 'read', arguments: '{"path":"x"}' }], finish: 'calls' },
  },
  {
    name: 'two equal calls that share an index',
    bytes: `${line({ tool_calls: [{ index: 0, ...fn('list', {}) }] })}${line({ tool_calls: [{ index: 0, ...fn('list', {}) }] })}${FINISHED}`,
    reply: {
      calls: [
        { name: 'list', arguments: {} },
        { name: 'list', arguments: {} },
      ],
    },
  },
  {
    name: 'repeated ids',
    bytes: `${line({
      tool_calls: [
        { id: 'a', ...fn('list', {}) },
        { id: 'a', ...fn('read', { path: 'x' }) },
      ],
    })}${FINISHED}`,
    reply: {
      calls: [
        { id: 'a', name: 'list', arguments: {} },
        { name: 'read', arguments: { path: 'x' } },
      ],
      repairs: [SAME_ID],
    },
  },
  {
    name: 'thinking apart from text, and null content',
    bytes: `${line({ content: null, thinking: 'Hm.' })}${line({ content: 'ok' })}${FINISHED}`,
    reply: { text: 'ok', reasoning: 'Hm.' },
  },
  {
    name: 'no line feed after the last line',
    bytes: `${line({ content: 'ok' })}${FINISHED.trimEnd()}`,
    reply: { text: 'ok', finish: 'stop' },
  },
  {
    name: 'a reply cut off by the limit of tokens',
    bytes: `${line({ content: 'ok' })}${line({}, { done: true, done_reason: 'length' })}`,
    reply: { text: 'ok', finish: 'length' },
  },
  {
    name: 'an error in the middle of a stream',
    bytes: `${line({ content: 'Let me' })}{"error":"an error was encountered while running the model"}\n`,
    error: /stopped with an error: an error was encountered/,
  },
  {
    name: 'a server that closes before the end',
    bytes: `${line({ content: 'Let me' })}{"message":{"content":"go`,
    error: /closed the connection before its reply was complete/,
  },
  { name: 'a web page', bytes: '<html>\n<body>Welcome to nginx!</body></html>\n', error: /web page/ },
]

/** Every irregular stream. */
export const IRREGULAR_STREAMS: readonly IrregularStream[] = [
  ...OPENAI.map((one) => ({ ...one, wire: 'openai' as const })),
  ...OLLAMA.map((one) => ({ ...one, wire: 'ollama' as const })),
]
