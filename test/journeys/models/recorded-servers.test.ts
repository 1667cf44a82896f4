import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Event, openHome } from '../../../src/index.ts'
import { type Answer, type SeenRequest, startModelServer } from '../../support/model-server/model-server.ts'
import { openAiReply } from '../../support/model-server/scripted-reply.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

interface Recorded {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly chats: readonly { readonly status: number; readonly body: string }[]
}

const DATA = join(import.meta.dirname, '../../data/engines/llama.cpp-b21e4de7.json.gz')
const RECORDED: Readonly<Record<string, Recorded>> = JSON.parse(gunzipSync(readFileSync(DATA)).toString())
const find = (name: string): Recorded => RECORDED[name] ?? { metadata: {}, chats: [] }

/** What was offered when the exchanges were recorded. */
const TOOLS = [
  ...['read_file', 'write_file', 'edit_file', 'list_directory', 'search_text', 'shell', 'run_code'],
  ...['git_status', 'web_fetch', 'propose_plan', 'update_todos', 'ask_user'],
]
const FACT = 'The meeting ZQMARKONE is on Tuesday.'

interface ChatBody {
  readonly messages: readonly {
    readonly role: string
    readonly content: string
    readonly tool_call_id?: string
    readonly tool_calls?: readonly { readonly id: string }[]
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[]
}

const bodyOf = ({ body }: SeenRequest) => body as ChatBody

/** Answers with recorded bytes, one at a time. */
function plays({ status, body }: Recorded['chats'][number]): Answer {
  return async (response) => {
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' })
    for (const byte of Buffer.from(body)) response.write(Uint8Array.of(byte))
    response.end()
  }
}

/** Runs a session with twelve tools against a server that answers as the recorded one did. */
async function run(recorded: Recorded, chats: readonly Answer[], tools: readonly string[] = TOOLS) {
  const server = await startModelServer({ metadata: recorded.metadata, chats })
  const home = await openHome({ home: temporaryFolder(), approver: { ask: async () => ({ approved: true }) } })
  onTestFinished(() => home.close())
  await home.models.add({
    name: 'recorded',
    settings: { provider: 'openai', model: 'fam', baseUrl: `${server.url}/v1` },
  })
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, 'notes.txt'), `${FACT}\n`)
  const host = await home.host(workspace)
  const session = await host.session(tools.length > 0 ? { tools } : {})
  const end = await session.send('What does notes.txt say?', { model: 'recorded', maxSteps: 4 })
  const events: readonly Event[] = await home.log.read({ session: session.id })
  return { end, events, requests: server.chats().map(bodyOf) }
}

/** The server's own limits, or texts that the recorded model was not told well. */
const ENDS: Readonly<Record<string, { readonly reason: string; readonly summary: RegExp }>> = {
  'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B': { reason: 'failed', summary: /empty reply twice/ },
  'deepseek-ai-DeepSeek-V3.2': { reason: 'failed', summary: /does not match the expected peg-native format/ },
  'NVIDIA-Nemotron-Nano-v2': { reason: 'reply', summary: /<TOOLCALL>/ },
}
/** Templates that refused a message or a definition: what Haft sends to them is tested below. */
const REFUSING =
  /^(mistralai-Mistral-Nemo|Mistral-Small|google-gemma-2|microsoft-Phi|ByteDance|CohereForAI-c4ai-command-r-plus|GigaChat3)|all tools/

describe('what a llama.cpp server sent is read the same however its bytes are split', () => {
  test.for(Object.keys(RECORDED).filter((name) => !REFUSING.test(name)))('%s', async (name) => {
    const recorded = find(name)
    const { end, requests } = await run(recorded, recorded.chats.map(plays))
    const { reason, summary } = ENDS[name] ?? { reason: 'reply', summary: /Tuesday/ }
    expect(end).toMatchObject({ reason, summary: expect.stringMatching(summary) })
    if (name === 'NVIDIA-Nemotron-Nano-v2') return
    const last = JSON.stringify(requests[1]?.messages)
    expect(last).toContain('ZQMARKONE')
    expect(last).toContain('notes.txt')
  })
})

/** An answer of a template that refused nothing, for requests that the recorded server never got. */
const ANSWER = plays(find('unsloth-mistral-Devstral-Small-2507').chats[1] ?? { status: 500, body: '' })
const CALL = (name: string) => plays(find(name).chats[0] ?? { status: 500, body: '' })

describe('a prompt template that refuses a form gets the form that it takes', () => {
  test.for(['mistralai-Mistral-Nemo-Instruct-2407', 'Mistral-Small-3.2-24B-Instruct-2506'])(
    '%s: ids of nine letters and digits, once its own were refused',
    async (name) => {
      const recorded = find(name)
      const { end, requests } = await run(recorded, [...recorded.chats.slice(0, 2).map(plays), ANSWER])
      expect(end).toMatchObject({ reason: 'reply', summary: expect.stringContaining('Tuesday') })
      const ids = requests.map(({ messages }) => [
        messages.find(({ tool_calls }) => tool_calls)?.tool_calls?.[0]?.id,
        messages.find(({ role }) => role === 'tool')?.tool_call_id,
      ])
      const [given] = /"id":"(\w{32})","type":"function"/.exec(recorded.chats[0]?.body ?? '')?.slice(1) ?? []
      expect(ids.slice(0, 2)).toEqual([
        [undefined, undefined],
        [given, given],
      ])
      expect(ids[2]).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/), ids[2]?.[0]])
    },
  )

  test.for(['google-gemma-2-2b-it', 'microsoft-Phi-3.5-mini-instruct'])(
    '%s has no tools: they, the call and its result are text, and messages take turns',
    async (name) => {
      const recorded = find(name)
      const { end, requests } = await run(recorded, [CALL(name), ANSWER])
      expect(end).toMatchObject({ reason: 'reply', summary: expect.stringContaining('Tuesday') })
      const [first, second] = requests
      expect(requests.map(({ tools }) => tools)).toEqual([undefined, undefined])
      expect(first?.messages[0]?.content).toContain('"name":"read_file"')
      const roles = second?.messages.map(({ role }) => role)
      expect(roles?.slice(-3)).toEqual(['user', 'assistant', 'user'])
      expect(second?.messages.at(-1)?.content).toContain(FACT)
      if (name.startsWith('google')) expect(roles).toEqual(['user', 'assistant', 'user'])
    },
  )

  test('meta-llama-Llama-3.1-8B-Instruct shows one call of a message: each goes back in one of its own, with its result', async () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: 'read_file', arguments: { path: `${id}.txt` } }))
    const { requests } = await run(find('meta-llama-Llama-3.1-8B-Instruct'), [
      openAiReply({ text: 'I read.', calls }),
      ANSWER,
    ])
    expect(requests[1]?.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'I read.', tool_calls: [{ id: 'a' }] },
      { role: 'tool', tool_call_id: 'a' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'b' }] },
      { role: 'tool', tool_call_id: 'b' },
    ])
  })

  test.for(['ByteDance-Seed-OSS', 'GigaChat3-10B-A1.8B', 'CohereForAI-c4ai-command-r-plus-tool_use'])(
    '%s refuses every tool: they are described in the prompt after a search of a few requests',
    async (name) => {
      const recorded = find(name)
      const refuses = plays(recorded.chats[0] ?? { status: 500, body: '' })
      const answers: Answer = (response, request) => (bodyOf(request).tools ? refuses : ANSWER)(response, request)
      const { end, requests } = await run(recorded, [answers])
      expect(end).toMatchObject({ reason: 'reply', steps: 1, summary: expect.stringContaining('Tuesday') })
      const offered = requests[0]?.tools?.length ?? 0
      expect(requests.length).toBeLessThanOrEqual(1 + 1 + Math.ceil(Math.log2(offered)) + 1)
      expect(requests.at(-1)?.messages[0]?.content).toContain('"name":"read_file"')
    },
  )
})

/** Every schema in a definition; one type each is what prompt templates read. */
function schemasIn(schema: unknown): readonly { readonly type?: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, anyOf = [] }: { properties?: object; items?: unknown; anyOf?: unknown[] } = schema
  return [schema, ...[...Object.values(properties), items, ...anyOf].flatMap(schemasIn)]
}

test.for(Object.keys(RECORDED).filter((name) => name.endsWith('(all tools)')))(
  '%s: no definition holds a limit that its grammar refuses, and each schema has one type',
  async (name) => {
    const { requests } = await run(find(name), [ANSWER], [])
    const [{ messages, tools = [] } = { messages: [] }] = requests
    expect(JSON.stringify(tools.length > 0 ? tools : messages)).toContain('search_code')
    expect(JSON.stringify(tools)).not.toMatch(/"(max|min)(Length|Items)":|"pattern":"/)
    const schemas = tools.flatMap((tool) => schemasIn(tool.function.parameters))
    expect(schemas.filter(({ type }) => typeof type !== 'string')).toEqual([])
  },
)
