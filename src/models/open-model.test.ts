import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../test/support/model-server/free-port.ts'
import { startModelServer } from '../../test/support/model-server/model-server.ts'
import { askModel, openTestModel } from '../../test/support/model-server/open-test-model.ts'
import { anthropicReply } from '../../test/support/model-server/provider-replies.ts'
import { ollamaReply, openAiReply } from '../../test/support/model-server/scripted-reply.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { findModels } from './find-models.ts'
import { listModels } from './list-models.ts'
import { ollamaUrl } from './open/addresses.ts'
import { type OpenModelOptions, openModel } from './open-model.ts'
import { recordModel } from './record.ts'

const open = (name: string, options: Partial<OpenModelOptions> = {}) =>
  openModel(name, { models: {}, env: {}, folder: temporaryFolder(), ...options })

describe('openModel', () => {
  test('ollama:NAME is a model of the server that OLLAMA_HOST names; the name may hold colons', async () => {
    const server = await startModelServer({ chats: [ollamaReply({ text: 'ok' })] })
    const model = await open('ollama:qwen3:8b', { env: { OLLAMA_HOST: `127.0.0.1:${server.port}` } })
    expect(model.name).toBe('ollama:qwen3:8b')
    expect((await askModel(model)).reply.text).toBe('ok')
    expect(server.chats()[0]).toMatchObject({ path: '/api/chat', body: { model: 'qwen3:8b' } })
  })

  test('openai:NAME is a model of the server that OPENAI_BASE_URL names, with OPENAI_API_KEY', async () => {
    const server = await startModelServer({ chats: [openAiReply({ text: 'ok' })] })
    const env = { OPENAI_BASE_URL: `${server.url}/v1/`, OPENAI_API_KEY: 'sk-env' }
    await askModel(await open('openai:gpt-test', { env }))
    expect(server.chats()[0]).toMatchObject({
      body: { model: 'gpt-test' },
      headers: { authorization: 'Bearer sk-env' },
    })
  })

  test('a table sets address, model, headers, temperature and price, and gets its own key, never that of the provider', async () => {
    const server = await startModelServer({ chats: [openAiReply({ text: 'ok', usage: { input: 2, output: 3 } })] })
    const work = {
      provider: 'openai' as const,
      model: 'qwen3-coder',
      baseUrl: server.url,
      headers: { 'x-team': 'blue' },
      temperature: 0,
      context: 9_000,
      price: { input: 1_000_000, output: 2_000_000 },
    }
    const env = { OPENAI_API_KEY: 'sk-provider', WORK_KEY: 'sk-work' }
    const models = { work, keyed: { ...work, apiKeyEnv: 'WORK_KEY' } }
    const model = await open('work', { models, env })
    expect((await askModel(model)).reply.usage).toEqual({ input: 2, output: 3, cost: 8 })
    expect(await model.abilities()).toMatchObject({ context: 9_000 })
    await askModel(await open('work', { models, env, keyOf: (table) => `sk-stored-${table}` }))
    await askModel(await open('keyed', { models, env }))
    const [first, second, third] = server.chats()
    expect(first).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'qwen3-coder', temperature: 0 },
      headers: { 'x-team': 'blue' },
    })
    expect(first?.headers.authorization).toBeUndefined()
    expect(second?.headers.authorization).toBe('Bearer sk-stored-work')
    expect(third?.headers.authorization).toBe('Bearer sk-work')
  })

  test('anthropic: through its package, with the key of the environment only where no address is set', async () => {
    const server = await startModelServer({ chats: [anthropicReply] })
    const claude = { provider: 'anthropic' as const, model: 'claude-test', baseUrl: `${server.url}/v1/` }
    const model = await open('claude', { models: { claude }, env: {}, keyOf: () => 'sk-ant' })
    expect((await askModel(model)).reply.text).toBe('Reading.')
    expect(server.chats()[0]?.headers['x-api-key']).toBe('sk-ant')
    await expect(open('anthropic:claude-test')).rejects.toThrow(/no key for anthropic. Set ANTHROPIC_API_KEY/)
  })

  test('replay:FILE replays a recording in the folder', async () => {
    const server = await startModelServer({ chats: [ollamaReply({ text: 'recorded' })] })
    const folder = temporaryFolder()
    await askModel(recordModel(openTestModel('ollama', server.url), join(folder, 'run.jsonl')))
    const { reply } = await askModel(await open('replay:run.jsonl', { folder }))
    expect(reply.text).toBe('recorded')
  })

  test('what is learned of a model is kept in the file that is given', async () => {
    const server = await startModelServer({ chats: [ollamaReply({ calls: [{ name: 'x', arguments: {} }] })] })
    const abilitiesFile = join(temporaryFolder(), 'abilities.json')
    const env = { OLLAMA_HOST: server.url }
    await askModel(await open('ollama:m', { env, abilitiesFile }))
    expect(JSON.parse(readFileSync(abilitiesFile, 'utf8')).models).toMatchObject({
      [`ollama ${server.url} m`]: { replies: { nativeCalls: true, argumentForm: 'object' } },
    })
    const again = await open('ollama:m', { env, abilitiesFile })
    expect(await again.abilities()).toMatchObject({ nativeCalls: true })
  })

  const models = { work: { provider: 'openai' as const, model: 'm', baseUrl: 'localhost:8080', apiKeyEnv: 'WORK_KEY' } }
  test.each([
    ['wrok', {}, /no model "wrok"\. Did you mean work\?.*or a table of the settings: work/],
    ['olama:qwen3', {}, /Did you mean ollama:NAME\?/],
    ['qwen3', {}, /Write it as ollama:NAME, openai:NAME, lmstudio:NAME, anthropic:NAME, google:NAME, replay:NAME/],
    ['ollama:', {}, /no model "ollama:"/],
    ['work', {}, /models.work.base_url is not the address of a server: localhost:8080/],
    ['openai:gpt', {}, /no key for openai. Set OPENAI_API_KEY, or run `haft models add`/],
    ['google:gemini', {}, /Set GOOGLE_GENERATIVE_AI_API_KEY/],
    ['openai:gpt', { OPENAI_BASE_URL: 'ftp://x' }, /OPENAI_BASE_URL is not the address/],
    ['replay:none.jsonl', {}, /none\.jsonl cannot be read/],
  ])('says what is wrong with %s', async (name, env, expected) => {
    await expect(open(name, { models, env })).rejects.toThrow(expected)
  })

  test('says which variable holds no key', async () => {
    const fixed = { work: { ...models.work, baseUrl: 'http://127.0.0.1:9/v1' } }
    await expect(open('work', { models: fixed })).rejects.toThrow(/The key of work is read from WORK_KEY, but/)
  })
})

test.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8000', 'http://127.0.0.1:8000'],
  [':8000', 'http://127.0.0.1:8000'],
  ['example.test', 'http://example.test:11434'],
  ['http://example.test', 'http://example.test'],
  ['https://example.test/ollama/', 'https://example.test/ollama'],
  ['[::1]:8000', 'http://[::1]:8000'],
])('OLLAMA_HOST %s is %s', (host, expected) => {
  expect(ollamaUrl({ OLLAMA_HOST: host })).toBe(expected)
})

describe('findModels', () => {
  test('finds what local servers have, and keys without asking their providers', async () => {
    const ollama = await startModelServer({
      metadata: { '/api/tags': { models: [{ name: 'qwen3:8b' }, { name: 'nomic-embed-text' }] } },
    })
    const studio = await startModelServer({ metadata: { '/v1/models': { data: [{ id: 'gemma-3' }] } } })
    const found = await findModels({
      env: { OLLAMA_HOST: ollama.url, ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', OPENAI_API_KEY: 'k' },
      lmStudioUrl: `${studio.url}/v1`,
    })
    expect(found).toEqual({
      models: [
        { name: 'ollama:qwen3:8b', from: `Ollama at 127.0.0.1:${ollama.port}` },
        { name: 'lmstudio:gemma-3', from: `LM Studio at 127.0.0.1:${studio.port}` },
      ],
      keys: [
        { provider: 'openai', variable: 'OPENAI_API_KEY' },
        { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
        { provider: 'google', variable: 'GEMINI_API_KEY' },
      ],
    })
  })

  test('asks the server that OPENAI_BASE_URL names, and finds nothing where nothing listens', async () => {
    const server = await startModelServer({ metadata: { '/v1/models': { data: [{ id: 'm' }] } } })
    const closed = `127.0.0.1:${await freePort()}`
    const env = { OLLAMA_HOST: closed, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' }
    expect(await findModels({ env, lmStudioUrl: `http://${closed}/v1` })).toEqual({
      models: [{ name: 'openai:m', from: `OPENAI_BASE_URL at 127.0.0.1:${server.port}` }],
      keys: [],
    })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k')
  })
})

test('listModels lists by metadata, with the key in the form of each provider', async () => {
  const server = await startModelServer({
    metadata: {
      '/v1/models': { data: [{ id: 'claude-x' }] },
      '/v1beta/models': { models: [{ name: 'models/gemini-x' }] },
    },
  })
  const env = {}
  expect(await listModels({ provider: 'anthropic', baseUrl: `${server.url}/v1`, apiKey: 'a', env })).toEqual([
    'claude-x',
  ])
  expect(await listModels({ provider: 'google', baseUrl: `${server.url}/v1beta`, apiKey: 'g', env })).toEqual([
    'gemini-x',
  ])
  expect(server.requests.map(({ headers }) => headers['x-api-key'] ?? headers['x-goog-api-key'])).toEqual(['a', 'g'])
  await expect(listModels({ provider: 'ollama', baseUrl: server.url, env })).rejects.toThrow(/404: not found/)
})
