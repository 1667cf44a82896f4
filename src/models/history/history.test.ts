import type { Message as OllamaClientMessage } from 'ollama'
import type OpenAI from 'openai'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ModelMessage } from '../../core/ports/model.ts'
import { writeOllamaMessages } from '../ollama/write-request.ts'
import { writeOpenAiMessages } from '../openai/write-request.ts'

const PIXEL = { name: 'dot.png', mediaType: 'image/png', content: 'iVBORw0KGgo=', encoding: 'base64' as const }
const NOTES = { name: 'notes.md', mediaType: 'text/markdown', content: '# Notes' }
const SOUND = { name: 'a.wav', mediaType: 'audio/wav', content: 'UklGRg==', encoding: 'base64' as const }

const HISTORY: readonly ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Look.', attachments: [PIXEL, NOTES, SOUND] },
  {
    role: 'assistant',
    content: '',
    reasoning: 'Hm.',
    calls: [
      { call: 'c1', name: 'shot', arguments: '{"n": 1}' },
      { call: 'c2', name: 'shot', arguments: { n: 2 } },
      { call: 'c3', name: 'shot', arguments: '{"n": ' },
      { call: 'c4', name: 'shot', arguments: '' },
    ],
    wire: {
      model: 'test',
      reasoningMember: 'reasoning_content',
      message: { reasoning_details: [{ data: 'a+/=' }] },
      calls: [null, { extra_content: { s: 1 } }],
      ids: ['call_x1', null, 'call_x3', 'call_x4'],
    },
  },
  { role: 'tool', call: 'c1', name: 'shot', content: 'taken', images: [PIXEL] },
  { role: 'tool', call: 'c2', name: 'shot', content: 'none' },
  { role: 'assistant', content: 'A dot.', reasoning: 'Clear.' },
  { role: 'user', content: '', attachments: [PIXEL] },
]

test('the history fits the types of the official clients', () => {
  // Holds when `tsc --noEmit` is clean.
  expectTypeOf<ReturnType<typeof writeOpenAiMessages>>().toExtend<
    OpenAI.Chat.Completions.ChatCompletionMessageParam[]
  >()
  expectTypeOf<ReturnType<typeof writeOllamaMessages>>().toExtend<OllamaClientMessage[]>()
})

describe('openai', () => {
  test('writes calls, results, reasoning, opaque data and images', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL.content}` } }
    expect(writeOpenAiMessages(HISTORY, { name: 'test', seesImages: true })).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: 'Look.\n\nAttached file notes.md:\n# Notes\n\n[The file a.wav (audio/wav) is attached, but cannot be shown as text.]',
          },
          image,
        ],
      },
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'Hm.',
        reasoning_details: [{ data: 'a+/=' }],
        tool_calls: [
          { id: 'call_x1', type: 'function', function: { name: 'shot', arguments: '{"n": 1}' } },
          {
            id: '9c0abe51c',
            type: 'function',
            function: { name: 'shot', arguments: '{"n":2}' },
            extra_content: { s: 1 },
          },
          {
            id: 'call_x3',
            type: 'function',
            function: { name: 'shot', arguments: '{"invalid_arguments":"{\\"n\\": "}' },
          },
          { id: 'call_x4', type: 'function', function: { name: 'shot', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_x1', content: 'taken' },
      { role: 'tool', tool_call_id: '9c0abe51c', content: 'none' },
      { role: 'user', content: [{ type: 'text', text: 'Images returned by shot:' }, image] },
      { role: 'assistant', content: 'A dot.' },
      { role: 'user', content: [image] },
    ])
  })

  test('names images in words to a model that does not see, and sends no opaque data to another model', () => {
    const messages = writeOpenAiMessages(HISTORY, { name: 'other', seesImages: false })
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ])
    const words = '[The image dot.png (image/png) is attached, but you cannot see images.]'
    expect(messages[1]?.content).toContain(words)
    expect(messages[3]?.content).toBe(`taken\n\n${words}`)
    expect(JSON.stringify(messages)).not.toMatch(/reasoning|extra_content|image_url/)
  })
})

test('ollama: writes calls, results, thinking and images', () => {
  expect(writeOllamaMessages(HISTORY, true).slice(1)).toEqual([
    { role: 'user', content: expect.stringContaining('# Notes'), images: [PIXEL.content] },
    {
      role: 'assistant',
      content: '',
      thinking: 'Hm.',
      tool_calls: [{ n: 1 }, { n: 2 }, { invalid_arguments: '{"n": ' }, {}].map((given) => ({
        function: { name: 'shot', arguments: given },
      })),
    },
    { role: 'tool', tool_name: 'shot', content: 'taken' },
    { role: 'tool', tool_name: 'shot', content: 'none' },
    { role: 'user', content: 'Images returned by shot:', images: [PIXEL.content] },
    { role: 'assistant', content: 'A dot.' },
    { role: 'user', content: '', images: [PIXEL.content] },
  ])
  expect(JSON.stringify(writeOllamaMessages(HISTORY, false))).not.toContain('"images"')
})
