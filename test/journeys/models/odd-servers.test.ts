import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchRepetition } from '../../../src/agent/run/repetition.ts'
import { type Event, type Home, openHome } from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import {
  type Answer,
  fails,
  type ModelServer,
  type SeenRequest,
  sends,
  startModelServer,
} from '../../support/model-server/model-server.ts'
import { openAiReply } from '../../support/model-server/scripted-reply.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

interface ChatBody {
  readonly max_tokens?: number
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[]
}

const bodyOf = ({ body }: SeenRequest) => body as ChatBody
const namesOf = (request: SeenRequest) => bodyOf(request).tools?.map((tool) => tool.function.name)

/** Opens a home with a model of a server. */
async function openAt(server: ModelServer, more: object = {}): Promise<{ home: Home; model: string }> {
  const home = await openHome({ home: temporaryFolder(), approver: { ask: async () => ({ approved: true }) } })
  onTestFinished(() => home.close())
  const settings = { provider: 'openai', model: 'm', baseUrl: `${server.url}/v1`, ...more } as const
  await home.models.add({ name: 'odd', settings })
  return { home, model: 'odd' }
}

async function send(home: Home, text = 'Go') {
  const session = await (await home.host(temporaryFolder())).session()
  const end = await session.send(text, { model: 'odd', maxSteps: 5 })
  const events: readonly Event[] = await home.log.read({ session: session.id })
  return { end, events, session }
}

const retriesIn = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'model-retry' ? [event.reason] : []))

const GRAMMAR = JSON.stringify({
  error: { code: 400, message: 'Failed to initialize samplers: failed to parse grammar' },
})

test('a server that refuses limits is asked again without them, once, and takes them out from then on', async () => {
  const refuses: Answer = (response, request) =>
    (/"(max|min)(Length|Items)":/.test(JSON.stringify(bodyOf(request).tools))
      ? fails(400, GRAMMAR)
      : openAiReply({ text: 'Fine.' }))(response, request)
  const server = await startModelServer({ chats: [refuses] })
  const { home } = await openAt(server)
  const { end, events } = await send(home)
  expect(end).toMatchObject({ reason: 'reply', summary: 'Fine.' })
  expect(server.chats()).toHaveLength(2)
  expect(namesOf(server.chats()[1] as SeenRequest)).toEqual(namesOf(server.chats()[0] as SeenRequest))
  expect(retriesIn(events)).toEqual([expect.stringContaining('The limits are left out')])
  await send(home)
  expect(server.chats()).toHaveLength(3)
})

test.for(['ask_user', 'read_file', 'shell', 'write_file'])(
  'the tool %s that a server refuses is found, named in the session and to haft why, and left out; the others stay',
  async (culprit) => {
    const refuses: Answer = (response, request) =>
      (namesOf(request)?.includes(culprit) ? fails(400, GRAMMAR) : openAiReply({ text: 'Fine.' }))(response, request)
    const server = await startModelServer({ chats: [refuses] })
    const { home } = await openAt(server)
    const { end, events, session } = await send(home)
    expect(end).toMatchObject({ reason: 'reply', summary: 'Fine.' })
    const [first] = server.chats()
    const all = first ? (namesOf(first) ?? []) : []
    const last = server.chats().at(-1)
    expect(last && namesOf(last)).toEqual(all.filter((name) => name !== culprit))
    expect(server.chats().length - 2).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(all.length)))
    expect(retriesIn(events).at(-1)).toContain(culprit)
    expect(events.find((event) => event.type === 'model-call')).toMatchObject({ leftOut: [culprit] })
    const { workspace } = session
    const [why] = await home.explainTool({ tool: culprit, workspace, session: session.id })
    expect(why).toMatchObject({ cause: 'not-offered', text: expect.stringContaining('refuses its definition') })
    const before = server.chats().length
    await send(home)
    expect(server.chats()).toHaveLength(before + 1)
  },
)

test('a refusal that no tool is to blame for ends the run with the words of the server', async () => {
  const server = await startModelServer({
    chats: [fails(400, '{"error":{"message":"schema of tools: internal fault"}}')],
  })
  const { home } = await openAt(server)
  const { end } = await send(home)
  expect(end).toMatchObject({ reason: 'failed', summary: expect.stringContaining('internal fault') })
})

test('after a reply began nothing is sent again, whatever the server says then', async () => {
  const begun =
    'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\ndata: {"error":{"message":"failed to parse grammar of tools"}}\n\n'
  const server = await startModelServer({ chats: [sends(begun)] })
  const { home } = await openAt(server)
  expect((await send(home)).end).toMatchObject({ reason: 'failed' })
  expect(server.chats()).toHaveLength(1)
})

test('a server that drops the tools without a word is noticed by its count of tokens, and they are described in the prompt', async () => {
  const untold = openAiReply({ text: 'I cannot see files.', usage: { input: 190, output: 5 } })
  const answers: Answer = (response, request) =>
    (bodyOf(request).tools ? untold : openAiReply({ text: 'Now I can.', usage: { input: 5_000, output: 5 } }))(
      response,
      request,
    )
  const server = await startModelServer({ chats: [answers] })
  const { home } = await openAt(server)
  const { end, events } = await send(home)
  expect(end).toMatchObject({ reason: 'reply', summary: 'Now I can.' })
  expect(server.chats().at(-1)?.body).toMatchObject({
    messages: [{ content: expect.stringContaining('"name":"read_file"') }, {}],
  })
  expect(retriesIn(events)).toEqual([expect.stringContaining('left the tools out')])
})

test('a server that counts the tools is taken at its word', async () => {
  const server = await startModelServer({ chats: [openAiReply({ text: 'Fine.', usage: { input: 3_000, output: 5 } })] })
  const { home } = await openAt(server)
  expect((await send(home)).end).toMatchObject({ summary: 'Fine.' })
  expect(server.chats()).toHaveLength(1)
})

test('an empty reply is asked for once more; a second one ends the run as failed', async () => {
  const server = await startModelServer({ chats: [openAiReply({}), openAiReply({ text: 'Here.' })] })
  const { home } = await openAt(server)
  expect((await send(home)).end).toMatchObject({ reason: 'reply', summary: 'Here.', steps: 2 })
  const silent = await startModelServer({ chats: [openAiReply({ text: ' \n' })] })
  const { home: other } = await openAt(silent)
  const { end } = await send(other)
  expect(end).toMatchObject({ reason: 'failed', summary: expect.stringContaining('empty reply twice') })
  expect(silent.chats()).toHaveLength(2)
})

test('a reply is bounded by the settings, else by half of the window, and one that repeats itself is cut', async () => {
  const metadata = { '/v1/models': { data: [{ id: 'm', max_model_len: 8_192 }] } }
  const loop = sends(`data: {"choices":[{"index":0,"delta":{"content":"the same again, "}}]}\n\n`.repeat(20_000))
  const server = await startModelServer({ metadata, chats: [openAiReply({ text: 'Fine.' }), loop] })
  const { home } = await openAt(server)
  await send(home)
  const { end } = await send(home)
  expect(end).toMatchObject({ reason: 'failed', summary: expect.stringContaining('repeats the same words') })
  const { home: settled } = await openAt(server, { maxOutput: 300 })
  await send(settled)
  expect(server.chats().map((chat) => bodyOf(chat).max_tokens)).toEqual([4_096, 4_096, 300])
})

test('no text of this project or its packages is taken for a reply that repeats itself', () => {
  const root = join(import.meta.dirname, '../../..')
  const folders = [
    'docs',
    'src',
    'test',
    'examples',
    'bench',
    'node_modules/ajv',
    'node_modules/typescript/lib',
    'node_modules/undici',
    'node_modules/zod',
    'node_modules/picomatch',
  ]
  let files = 0
  const cut: string[] = []
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(root, folder, name)
      // The data of other tests holds overlong texts on purpose.
      if (name.startsWith('data/') || !/\.(ts|tsx|js|json|md|yml|css|csv|html)$/.test(name) || !statSync(path).isFile())
        continue
      files++
      const watch = watchRepetition()
      const pieces =
        readFileSync(path, 'utf8')
          .slice(0, 400_000)
          .match(/[\s\S]{1,500}/g) ?? []
      if (pieces.some((piece) => watch.push(piece))) cut.push(name)
    }
  expect(files).toBeGreaterThan(2_000)
  expect(cut).toEqual([])
  const zeros = '| 0 | 0 | 0 | 0 |\n'.repeat(300)
  const watch = watchRepetition()
  expect(watch.push(zeros)).toBe(false)
})

test('a kept connection that the server has closed is replaced without a word', async () => {
  const used = new WeakSet<object>()
  let answered = 0
  // The second chat on a connection finds it reset, as it does with llama.cpp.
  const server = createServer((request, response) => {
    request.resume()
    if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end()
    if (used.has(request.socket)) return void request.socket.resetAndDestroy()
    used.add(request.socket)
    const reply = answered++ === 0 ? { calls: [{ name: 'list_directory', arguments: {} }] } : { text: 'Done.' }
    return openAiReply(reply)(response, { method: '', path: '', headers: {}, body: '' })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const { home } = await openAt({ url } as ModelServer)
  const { end, events } = await send(home)
  expect(end).toMatchObject({ reason: 'reply', summary: 'Done.' })
  expect(retriesIn(events)).toEqual([])
})

test('haft doctor --probe sends the tools of a run beside its own, and ends', async () => {
  const server = await startModelServer({
    chats: [openAiReply({ calls: [{ name: 'haft_probe', arguments: { word: 'ready' } }] })],
  })
  const program = buildProgram()
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' }
  await haft(program, ['doctor', '--probe', '--model', 'openai:m', '--json'], { env })
  const [probe] = server.chats()
  expect(probe && namesOf(probe)).toEqual(expect.arrayContaining(['read_file', 'shell', 'search_code', 'haft_probe']))
  expect(probe && bodyOf(probe).max_tokens).toBe(2_048)
})
