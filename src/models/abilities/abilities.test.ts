import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fails, startModelServer } from '../../../test/support/model-server/model-server.ts'
import { askModel, openTestModel } from '../../../test/support/model-server/open-test-model.ts'
import { ollamaReply, openAiReply } from '../../../test/support/model-server/scripted-reply.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openAbilityCache } from './ability-cache.ts'
import { learnFromRefusal } from './learn-from-reply.ts'

const PIXEL = { name: 'dot.png', mediaType: 'image/png', content: 'iVBORw0KGgo=', encoding: 'base64' as const }
const LOOK = { messages: [{ role: 'user' as const, content: 'Look.', attachments: [PIXEL] }] }

describe('what metadata says', () => {
  test.each([
    [
      'ollama',
      {
        '/api/show': {
          capabilities: ['completion', 'tools', 'vision'],
          model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
        },
      },
      { nativeCalls: true, images: true, context: 32_768 },
    ],
    [
      'ollama',
      { '/api/show': { capabilities: ['completion'] } },
      { nativeCalls: false, images: false, context: 32_768 },
    ],
    [
      'ollama',
      { '/api/show': { template: '{{ .System }}{{ if .Tools }}…{{ end }}' } },
      { nativeCalls: true, context: 32_768 },
    ],
    [
      'openai',
      {
        '/v1/models': {
          data: [
            { id: 'other', max_model_len: 1 },
            { id: 'test', max_model_len: 8_192 },
          ],
        },
      },
      { context: 8_192 },
    ],
    [
      'openai',
      {
        '/v1/models': {
          data: [
            {
              id: 'test',
              context_length: 200_000,
              architecture: { input_modalities: ['text', 'image'] },
              supported_parameters: ['temperature'],
            },
          ],
        },
      },
      { context: 200_000, images: true, nativeCalls: false },
    ],
    [
      'openai',
      {
        '/v1/models': { data: [{ id: 'test', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }] },
        '/props': { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: false, audio: false } },
      },
      { context: 16_384, images: false, grammar: true, alternates: false, shortCallIds: false },
    ],
    [
      'openai',
      {
        '/v1/models': { data: [{ id: 'test', object: 'model' }] },
        '/api/v0/models': {
          data: [{ id: 'test', type: 'vlm', max_context_length: 131_072, loaded_context_length: 4_096 }],
        },
      },
      { context: 4_096, images: true },
    ],
    ['openai', { '/v1/models': 'nonsense' }, {}],
    ['openai', {}, {}],
  ] as const)('%s: %j', async (wire, metadata, expected) => {
    const server = await startModelServer({ metadata })
    expect(await openTestModel(wire, server.url).abilities()).toEqual(expected)
    expect(server.chats()).toEqual([])
  })

  test('is asked for once where the server answers', async () => {
    const server = await startModelServer({ metadata: { '/api/show': {} }, chats: [ollamaReply({ text: 'ok' })] })
    const model = openTestModel('ollama', server.url)
    await Promise.all([model.abilities(), model.abilities(), askModel(model)])
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/show', '/api/chat'])
  })
})

test.each([
  [{ context: 40_960 }, undefined, 32_768],
  [{ context: 8_192 }, undefined, 8_192],
  [{}, undefined, 32_768],
  [{ context: 8_192 }, 65_536, 65_536],
] as const)('num_ctx of a model with %j and the setting %s is %i', async (own, setting, expected) => {
  const info = 'context' in own ? { 'general.architecture': 'x', 'x.context_length': own.context } : {}
  const server = await startModelServer({
    metadata: { '/api/show': { model_info: info } },
    chats: [ollamaReply({ text: 'ok' })],
  })
  const model = openTestModel('ollama', server.url, { context: setting, temperature: 0.2 })
  await askModel(model)
  expect(server.chats()[0]?.body).toMatchObject({ options: { num_ctx: expected, temperature: 0.2 } })
  if (setting) expect(await model.abilities()).toMatchObject({ context: setting })
})

describe('what replies show', () => {
  test('native calls, the form of arguments and several calls at once are remembered', async () => {
    const calls = [
      { id: 'a', name: 'x', arguments: {} },
      { id: 'b', name: 'x', arguments: {} },
    ]
    for (const [wire, answer, argumentForm] of [
      ['openai', openAiReply({ calls }), 'text'],
      ['ollama', ollamaReply({ calls }), 'object'],
    ] as const) {
      const server = await startModelServer({ chats: [answer] })
      const model = openTestModel(wire, server.url)
      await askModel(model)
      expect(await model.abilities()).toEqual({ nativeCalls: true, argumentForm, parallelCalls: true })
    }
  })

  test('a model that refuses images is asked again with the image in words, and that is remembered', async () => {
    const refusal = '{"error":{"message":"image input is not supported - hint: you may need to provide the mmproj"}}'
    const server = await startModelServer({ chats: [fails(500, refusal), openAiReply({ text: 'A dot?' })] })
    const model = openTestModel('openai', server.url)
    expect((await askModel(model, LOOK)).reply.text).toBe('A dot?')
    expect(JSON.stringify(server.chats()[0]?.body)).toContain('image_url')
    expect(JSON.stringify(server.chats()[1]?.body)).toContain('you cannot see images')
    expect(await model.abilities()).toEqual({ images: false })
  })

  test('a server that refuses to be asked for counts is asked again without, for good', async () => {
    const refusal = '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}'
    const server = await startModelServer({ chats: [fails(422, refusal), openAiReply({ text: 'ok' })] })
    const model = openTestModel('openai', server.url)
    await askModel(model)
    await askModel(model)
    expect(server.chats().map(({ body }) => Object.hasOwn(Object(body), 'stream_options'))).toEqual([
      true,
      false,
      false,
    ])
  })
})

test.each([
  ['unsupported image format: image/bmp', {}],
  ['image_url could not be downloaded: not allowed', {}],
  ["tools[0].function.parameters: unsupported keyword 'oneOf'", {}],
  ['Model does not support images. Please use a model that does.', { images: false }],
  ['deepseek-reasoner does not support Function Calling', { nativeCalls: false }],
  ['`tool calling` is not supported with this model', { nativeCalls: false }],
])('a refusal with the words %j shows %j', (words, expected) => {
  const tools = [{ name: 'x', description: '', parameters: {} }]
  expect(learnFromRefusal({ words, tools, hasImages: true })).toEqual(expected)
  expect(learnFromRefusal({ words, tools: [], hasImages: false })).toEqual({})
})

describe('the cache', () => {
  test('keeps what was learned in a private file, and replies stand above metadata', () => {
    const path = join(temporaryFolder(), 'home/models.json')
    openAbilityCache(path).of('a').learn({ nativeCalls: true, context: 5 }, 'metadata')
    openAbilityCache(path).of('b').learn({ images: true }, 'metadata')
    openAbilityCache(path).of('a').learn({ nativeCalls: false }, 'replies')
    const cache = openAbilityCache(path)
    expect(cache.of('a').read()).toEqual({ nativeCalls: false, context: 5 })
    expect(cache.of('b').read()).toEqual({ images: true })
    expect(cache.of('__proto__').read()).toEqual({})
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('believes replies for a week: servers are updated', () => {
    const path = join(temporaryFolder(), 'models.json')
    openAbilityCache(path).of('a').learn({ nativeCalls: false }, 'replies')
    const aged = readFileSync(path, 'utf8').replace(/"at": (\d+)/, (_, at) => `"at": ${Number(at) - 8 * 86_400_000}`)
    writeFileSync(path, aged)
    expect(openAbilityCache(path).of('a').read()).toEqual({})
  })

  test.each([
    '',
    'no JSON',
    '[]',
    '{"models":3}',
    '{"models":{"a":{"metadata":{"context":"many","images":1},"at":"x"}}}',
  ])('a broken file holds nothing: %j', (text) => {
    const path = join(temporaryFolder(), 'models.json')
    writeFileSync(path, text)
    expect(openAbilityCache(path).of('a').read()).toEqual({})
  })

  test('what is remembered counts where the server does not answer', async () => {
    const learned = openAbilityCache(undefined).of('a')
    learned.learn({ images: true }, 'metadata')
    expect(await openTestModel('ollama', 'http://127.0.0.1:9', { learned }).abilities()).toEqual({ images: true })
  })
})
