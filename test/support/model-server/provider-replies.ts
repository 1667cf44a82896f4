import { type Answer, sends } from './model-server.ts'

const event = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

const MESSAGE_START = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  },
}

/** The beginning of such a stream. */
export const anthropicStart = event(MESSAGE_START)

/** A stream of Anthropic's messages: thinking with a signature, a text, and two calls. */
export const anthropicReply: Answer = sends(
  [
    MESSAGE_START,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Both ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'files.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQB+/=sig' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Reading.' } },
    { type: 'content_block_stop', index: 1 },
    ...['a.md', 'b.md'].flatMap((path, at) => [
      {
        type: 'content_block_start',
        index: 2 + at,
        content_block: { type: 'tool_use', id: `toolu_${at}`, name: 'read_file', input: {} },
      },
      { type: 'content_block_delta', index: 2 + at, delta: { type: 'input_json_delta', partial_json: '{"path":' } },
      { type: 'content_block_delta', index: 2 + at, delta: { type: 'input_json_delta', partial_json: `"${path}"}` } },
      { type: 'content_block_stop', index: 2 + at },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ]
    .map(event)
    .join(''),
)

/** A stream of Gemini: a thought, a text, and a call with a signature. */
export const googleReply: Answer = sends(
  [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'One file.', thought: true }] } }] },
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Reading.' }] } }] },
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ functionCall: { name: 'read_file', args: { path: 'a.md' } }, thoughtSignature: 'Q2hvc2Vu+/=' }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 9, totalTokenCount: 16 },
    },
  ]
    .map((value) => `data: ${JSON.stringify(value)}\n\n`)
    .join(''),
)
