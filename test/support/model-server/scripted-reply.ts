import { type Answer, sends } from './model-server.ts'

/** A reply as a well-behaved server gives it. */
export interface ScriptedReply {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly arguments: object }[]
  readonly usage?: { readonly input: number; readonly output: number }
}

/** The reply as an OpenAI-compatible server streams it: text by the word, arguments in pieces of five characters. */
export function openAiReply(reply: ScriptedReply): Answer {
  const { text = '', reasoning = '', calls = [], usage } = reply
  const delta = (content: object) => chunk({ choices: [{ index: 0, delta: content, finish_reason: null }] })
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  const chunks = [
    delta({ role: 'assistant', content: '' }),
    ...pieces(reasoning, /\S+\s*/g).map((piece) => delta({ reasoning_content: piece })),
    ...pieces(text, /\S+\s*/g).map((piece) => delta({ content: piece })),
    ...calls.flatMap(({ id = 'call_1', name, arguments: given }, index) => [
      delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(JSON.stringify(given), /.{1,5}/gsu).map((piece) =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
    ...(usage
      ? [
          chunk({
            choices: [],
            usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 0 },
          }),
        ]
      : []),
  ]
  return sends(`${chunks.join('')}data: [DONE]\n\n`)
}

function chunk(value: object): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'test' }
  return `data: ${JSON.stringify({ ...head, ...value })}\n\n`
}

/** The reply as Ollama streams it: text by the word, a call at a time. */
export function ollamaReply(reply: ScriptedReply): Answer {
  const { text = '', reasoning = '', calls = [], usage } = reply
  const line = (message: object, rest: object = { done: false }) =>
    `${JSON.stringify({ model: 'test', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, ...rest })}\n`
  const lines = [
    ...pieces(reasoning, /\S+\s*/g).map((thinking) => line({ thinking })),
    ...pieces(text, /\S+\s*/g).map((content) => line({ content })),
    ...calls.map(({ name, arguments: given }) => line({ tool_calls: [{ function: { name, arguments: given } }] })),
    line({}, { done: true, done_reason: 'stop', prompt_eval_count: usage?.input, eval_count: usage?.output }),
  ]
  return sends(lines.join(''), { 'content-type': 'application/x-ndjson' })
}

function pieces(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? []
}
