import { expect, onTestFinished, test } from 'vitest'
import {
  defineTool,
  type Event,
  integer,
  objectSchema,
  openHome,
  type Session,
  string,
  type Tool,
} from '../../../src/index.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { fails, type ModelServer, startModelServer } from '../../support/model-server/model-server.ts'
import { openTestModel } from '../../support/model-server/open-test-model.ts'
import { ollamaReply, openAiReply } from '../../support/model-server/scripted-reply.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PIXEL = 'iVBORw0KGgoAAAAA'
const IMAGE = { name: 'plot.png', mediaType: 'image/png', content: PIXEL, encoding: 'base64' }
const VECTOR = { name: 'plot.svg', mediaType: 'image/svg+xml', content: 'PHN2Zy8+', encoding: 'base64' }

const plot = defineTool({
  name: 'plot',
  description: 'Draws a plot.',
  input: objectSchema({ of: string('What to plot') }),
  effect: 'none',
  execute: ({ of }) => (of === 'all' ? { images: [IMAGE, VECTOR] } : { image: IMAGE }),
})
const roll = defineTool({
  name: 'roll',
  description: 'Rolls dice.',
  input: objectSchema({ count: integer('How many', { minimum: 1, maximum: 9 }) }),
  effect: 'none',
  execute: ({ count }) => count,
})

async function openSession(tools: readonly Tool[]): Promise<{ session: Session; events: Event[] }> {
  const home = await openHome({ home: temporaryFolder(), tools })
  onTestFinished(() => home.close())
  const events: Event[] = []
  home.on((event) => events.push(event))
  return { session: await (await home.host(temporaryFolder())).session(), events }
}

const showing = { capabilities: ['completion', 'tools', 'vision'] }
const call = (of: string) => ({ name: 'plot', arguments: { of } })

/** The messages of the last request, as the server got them. */
function lastMessages(server: ModelServer): unknown {
  const body = server.chats().at(-1)?.body
  return typeof body === 'object' && body !== null && 'messages' in body ? body.messages : undefined
}

test('an image that a tool returns reaches a model that sees, in the form of Ollama', async () => {
  const server = await startModelServer({
    metadata: { '/api/show': showing },
    chats: [ollamaReply({ calls: [call('x')] }), ollamaReply({ text: 'A plot.' })],
  })
  const { session } = await openSession([plot])
  await session.send('Plot x', { model: openTestModel('ollama', server.url) })
  expect(lastMessages(server)).toEqual(
    expect.arrayContaining([expect.objectContaining({ role: 'user', images: [PIXEL] })]),
  )
})

test('it reaches one behind an OpenAI-compatible server as a data URL; what no provider takes is named in words', async () => {
  const server = await startModelServer({ chats: [openAiReply({ calls: [call('all')] }), openAiReply({ text: 'ok' })] })
  const { session } = await openSession([plot])
  await session.send('Plot all', { model: openTestModel('openai', server.url) })
  const sent = JSON.stringify(lastMessages(server))
  expect(sent).toContain(`"image_url":{"url":"data:image/png;base64,${PIXEL}"}`)
  expect(sent).toContain('[The file plot.svg (image/svg+xml) is attached, but cannot be shown as text.]')
  expect(sent).not.toContain('data:image/svg')
})

test('a model that does not see is told that there is an image', async () => {
  const server = await startModelServer({
    metadata: { '/api/show': { capabilities: ['completion', 'tools'] } },
    chats: [ollamaReply({ calls: [call('x')] }), ollamaReply({ text: 'ok' })],
  })
  const { session } = await openSession([plot])
  await session.send('Plot x', { model: openTestModel('ollama', server.url) })
  const sent = JSON.stringify(lastMessages(server))
  expect(sent).toContain('[The image plot.png (image/png) is attached, but you cannot see images.]')
  expect(sent).not.toContain('"images"')
})

test('S1.10 the log names the tools that a model is told less about, once, and none where it is told all', async () => {
  const server = await startModelServer({
    metadata: { '/api/show': showing },
    chats: [ollamaReply({ calls: [{ name: 'roll', arguments: { count: 2 } }] }), ollamaReply({ text: 'ok' })],
  })
  const { session, events } = await openSession([plot, roll])
  const model = openTestModel('ollama', server.url)
  await session.send('Roll', { model })
  await session.send('Again', { model })
  const openAi = await startModelServer({ chats: [openAiReply({ text: 'ok' })] })
  await session.send('Once more', { model: openTestModel('openai', openAi.url) })
  const told = events.flatMap((event) => (event.type === 'model-call' ? [event.simplified] : []))
  expect(told).toEqual([expect.arrayContaining(['roll']), undefined, undefined, []])
})

test('a server that is asked again shows in the session while it is waited for', async () => {
  const server = await startModelServer({ chats: [fails(503, 'loading the model'), openAiReply({ text: 'ok' })] })
  const { session, events } = await openSession([plot])
  await session.send('Hi', { model: openTestModel('openai', server.url) })
  expect(events.find(({ type }) => type === 'model-retry')).toMatchObject({
    reason: expect.stringContaining('503: loading the model'),
    seconds: 0.001,
  })
})

test('haft run says that a server is asked again, and when', async () => {
  const program = buildProgram()
  const server = await startModelServer({
    chats: [fails(429, 'slow down', { 'retry-after': '1' }), openAiReply({ text: 'Here I am.' })],
  })
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-x' }
  const { code, stdout, stderr } = await haft(program, ['run', 'Hi', '--model', 'openai:test'], { env })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Here I am.\n' })
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'answered 429: too many requests. It asks to wait 1 second. slow down. Asking again in 1 s.',
  )
})

const report = (program: BuiltProgram, args: readonly string[]) => haft(program, ['tools', '--report', ...args])

test('S1.10 haft tools --report says what the model that is used cannot be told, without a key and without a server', async () => {
  const program = buildProgram()
  const shown = await report(program, ['read_file', '--model', 'ollama:qwen3:8b'])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/looser\s+from\s+minimum\s+written into the description/)
  const json = await report(program, ['read_file', '--model', 'google:gemini-3', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ model: 'google:gemini-3', format: 'gemini-json-schema' })
  expect((await report(program, ['--model', 'openai:gpt-6'])).stdout).toBe(
    'openai:gpt-6 (openai) can express every tool.\n',
  )
  const chosen = await haft(program, ['tools', 'read_file', '--report'], { env: { HAFT_MODEL: 'ollama:qwen3:8b' } })
  expect(chosen.stdout).toBe(shown.stdout)
  expect((await report(program, ['--model', 'demo'])).stdout).toBe('demo can express every tool.\n')
  const wrong = await report(program, ['--model', 'olama:x'])
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain('Did you mean ollama:NAME?')
})
