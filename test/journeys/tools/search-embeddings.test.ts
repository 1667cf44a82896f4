import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHost, type Host } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { writeFiles } from '../../support/git.ts'

/** Groups of words that mean the same to the model of this test. */
const MEANINGS = [/\b(car|automobile|vehicle|wheel)\b/i, /\b(cook|recipe|kitchen)\b/i, /\b(bank|money|payment)\b/i]
const vectorOf = (text: string) => [...MEANINGS.map((form) => (form.test(text) ? 1 : 0)), 0.01]

const asked: { readonly path: string; readonly key: string | undefined; readonly texts: readonly string[] }[] = []
let isBroken = false

async function readBody(request: IncomingMessage): Promise<{ model: string; input: string[] }> {
  let text = ''
  for await (const piece of request) text += piece
  return JSON.parse(text)
}

/** A server that speaks as Ollama and as OpenAI do; OpenAI's entries come in another order. */
const server = createServer(async (request, response) => {
  const { model, input } = await readBody(request)
  asked.push({ path: `${request.url} ${model}`, key: request.headers.authorization, texts: input })
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse()
  const answer = request.url === '/api/embed' ? { embeddings: input.map(vectorOf) } : { data }
  response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isBroken ? { error: 'no such model' } : answer))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(process.env, { OLLAMA_HOST: address, OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: 'key-1' })
})
afterAll(() => {
  for (const name of ['OLLAMA_HOST', 'OPENAI_BASE_URL', 'OPENAI_API_KEY']) delete process.env[name]
  server.close()
})
beforeEach(() => {
  asked.length = 0
  isBroken = false
})

const FILES = {
  'src/car.ts': 'export function turnWheel(angle: number) {\n  return angle * 2\n}\n// wheel\n',
  'src/cook.ts': "export function stir(pot: string) {\n  return 'kitchen ' + pot\n}\n",
  'src/pay.ts': 'export function transfer(sum: number) {\n  return { payment: sum, token: "TOKEN" }\n}\n',
}
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

async function openHost(model = 'ollama:minilm', home = temporaryFolder(), workspace = temporaryFolder()) {
  writeFileSync(join(home, 'settings.toml'), `[code]\nembeddings = "${model}"\n`)
  writeFiles(workspace, { ...FILES, 'src/pay.ts': FILES['src/pay.ts'].replace('TOKEN', TOKEN) })
  return { home, workspace, host: await exampleHost({ home, workspace }) }
}

async function search(host: Host, query: string) {
  const result = await host.call('search_code', { query })
  if (!result.ok) throw new Error(result.text)
  return { text: result.text, names: (result.data as { hits: { name: string }[] }).hits.map(({ name }) => name) }
}

test.for([
  ['ollama:minilm', '/api/embed minilm', undefined],
  ['openai:small', '/v1/embeddings small', 'Bearer key-1'],
] as const)('with %s code is found that shares no word with the query', async ([model, path, key]) => {
  const { host } = await openHost(model)
  expect((await search(host, 'automobile')).names[0]).toBe('turnWheel')
  expect(asked.at(-1)).toMatchObject({ path, texts: ['automobile'] })
  if (key !== undefined) expect(asked.every((one) => one.key === key)).toBe(true)
  expect((await search(host, 'turn wheel angle')).names[0]).toBe('turnWheel')
})

test('a secret in the code is masked before the model gets it', async () => {
  const { host } = await openHost()
  await search(host, 'money')
  const sent = asked.flatMap(({ texts }) => texts).join('\n')
  expect(sent).toContain('payment')
  expect(sent).not.toContain(TOKEN)
})

test('only new text is sent again, also by a later process', async () => {
  const { home, workspace, host } = await openHost()
  await search(host, 'automobile')
  asked.length = 0
  await search(host, 'recipe')
  expect(asked.map(({ texts }) => texts)).toEqual([['recipe']])
  await host.close()
  writeFiles(workspace, { 'src/cook.ts': FILES['src/cook.ts'].replace('stir', 'boil') })
  asked.length = 0
  const later = await createHost({ home, workspace })
  try {
    expect((await search(later, 'recipe')).names[0]).toBe('boil')
    expect(asked.map(({ texts }) => texts.length)).toEqual([1, 1])
    expect(asked[0]?.texts[0]).toContain('boil')
  } finally {
    await later.close()
  }
})

test('without an answer of the model words alone rank, and the result says why', async () => {
  const { host } = await openHost()
  isBroken = true
  const { names, text } = await search(host, 'turn wheel angle')
  expect(names[0]).toBe('turnWheel')
  expect(text).toContain('ranked by words alone')
  expect(text).toContain('no such model')
  isBroken = false
  expect((await search(host, 'automobile')).names[0]).toBe('turnWheel')
})

test('a setting that names no embedding model is refused with its place', async () => {
  await expect(openHost('minilm')).rejects.toThrow(/settings\.toml:2:\d+: code\.embeddings: expected "ollama:NAME"/)
})
