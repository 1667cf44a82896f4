import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../../../src/index.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { freePort } from '../../support/model-server/free-port.ts'
import { type ModelServer, startModelServer } from '../../support/model-server/model-server.ts'
import { askModel } from '../../support/model-server/open-test-model.ts'
import { ollamaReply, openAiReply } from '../../support/model-server/scripted-reply.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openTerminal } from '../../support/terminal.ts'

const CALL = { name: 'haft_probe', arguments: { word: 'ready' } }

function startOllama(): Promise<ModelServer> {
  return startModelServer({
    metadata: {
      '/api/tags': { models: [{ name: 'qwen3:8b' }] },
      '/api/show': {
        capabilities: ['completion', 'tools'],
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
      },
    },
    chats: [ollamaReply({ calls: [CALL], usage: { input: 9, output: 5 } })],
  })
}

/** A server of `qwen3-coder` that wants a key. */
function startWork(): Promise<ModelServer> {
  return startModelServer({
    metadata: { '/v1/models': { data: [{ id: 'qwen3-coder', max_model_len: 8_192 }] } },
    chats: [openAiReply({ text: 'no tools here' })],
  })
}

function settle(program: BuiltProgram, text: string): void {
  mkdirSync(program.home, { mode: 0o700 })
  writeFileSync(join(program.home, 'settings.toml'), text)
}

const nowhere = async () => ({ OLLAMA_HOST: `127.0.0.1:${await freePort()}` })

test('haft models lists what is found, what each can do, which is chosen and what is wrong, and sends no chat', async () => {
  const program = buildProgram()
  const ollama = await startOllama()
  const work = await startWork()
  settle(
    program,
    `model = "work"
[models.work]
provider = "openai"
base_url = "${work.url}/v1"
model = "qwen3-coder"
[models.gone]
provider = "openai"
base_url = "${work.url}/v1"
model = "retired"
`,
  )
  const env = { OLLAMA_HOST: ollama.url, ANTHROPIC_API_KEY: 'sk-ant-secret' }
  const { stdout, code } = await haft(program, ['models', '--json'], { env })
  expect(code).toBe(0)
  const { models } = JSON.parse(stdout)
  expect(models).toMatchObject([
    { name: 'work', from: 'settings.toml', isSelected: true, abilities: { context: 8_192 } },
    { name: 'gone', problem: 'the server has no model retired' },
    { name: 'ollama:qwen3:8b', isSelected: false, abilities: { nativeCalls: true, images: false, context: 32_768 } },
    ...models.filter(({ name }: { name: string }) => name.startsWith('lmstudio:')),
    { name: 'anthropic:NAME', from: 'ANTHROPIC_API_KEY' },
  ])
  const shown = await haft(program, ['models'], { env })
  expect(shown.stdout).toMatch(/● {2}work +settings\.toml +8,192 tokens/)
  expect(shown.stdout).toMatch(/ollama:qwen3:8b +Ollama at \S+ +native tools, no images, 32,768 tokens/)
  expect(shown.stdout).not.toContain('secret')
  expect([...ollama.chats(), ...work.chats()]).toEqual([])
})

test('a chosen model that is not there says why, and nothing at all says what to do', async () => {
  const program = buildProgram()
  const env = { ...(await nowhere()), HAFT_MODEL: 'olama:qwen3' }
  const { stdout } = await haft(program, ['models', '--json'], { env })
  expect(JSON.parse(stdout).models).toMatchObject([
    { name: 'olama:qwen3', isSelected: true, problem: expect.stringContaining('Did you mean ollama:NAME?') },
  ])
  const away = await haft(program, ['models', '--json'], { env: { ...env, HAFT_MODEL: 'ollama:qwen3' } })
  expect(JSON.parse(away.stdout).models[0]).toMatchObject({ problem: expect.stringContaining('it was not found') })
  const none = await haft(program, ['models'], { env: await nowhere() })
  expect(none.stdout.replaceAll('\n', ' ')).toContain('No model was found. Start Ollama or LM Studio')
})

test('haft doctor --probe has nothing to try where demo is chosen', async () => {
  const program = buildProgram()
  const { stdout } = await haft(program, ['doctor', '--probe', '--model', 'demo', '--json'])
  const seen = expect.stringContaining('demo is not a language model')
  expect(JSON.parse(stdout).findings).toContainEqual({ what: 'model', holds: true, seen })
})

test('haft models add tries the server, stores the key apart with mode 0600, and never writes settings.toml', async () => {
  const program = buildProgram()
  const work = await startWork()
  const added = await haft(
    program,
    ['models', 'add', 'work', '--provider', 'openai', '--base-url', work.url, '--model', 'qwen3-coder', '--key-stdin'],
    { input: 'sk-work-secret\n' },
  )
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toContain('work is added.')
  expect(work.requests.at(-1)?.headers.authorization).toBe('Bearer sk-work-secret')
  const managed = readFileSync(join(program.home, 'managed.toml'), 'utf8')
  expect(managed).toContain('[models.work]')
  expect(managed).not.toContain('sk-work')
  for (const file of ['managed.toml', 'model-keys.json'])
    expect(statSync(join(program.home, file)).mode & 0o777).toBe(0o600)
  expect(existsSync(join(program.home, 'settings.toml'))).toBe(false)
  expect(work.chats()).toEqual([])

  const { stdout } = await haft(program, ['models', '--json'], { env: await nowhere() })
  expect(stdout).not.toContain('sk-work')
  expect(JSON.parse(stdout).models[0]).toMatchObject({ name: 'work', from: 'managed.toml', isSelected: true })
  const home = await openHome({ home: program.home })
  await askModel(await home.models.open())
  await home.close()
  expect(work.chats()[0]).toMatchObject({ headers: { authorization: 'Bearer sk-work-secret' } })
})

test('haft models add stores nothing where the server does not answer, has no such model, or something is missing', async () => {
  const program = buildProgram()
  const work = await startWork()
  const add = (...args: string[]) => haft(program, ['models', 'add', 'work', '--provider', 'openai', ...args])
  const closed = await add('--base-url', `http://127.0.0.1:${await freePort()}`, '--model', 'm')
  expect(closed.code).toBe(1)
  expect(closed.stderr).toMatch(/Nothing was stored: .*nothing listens there/)
  const missing = await add('--base-url', work.url, '--model', 'other')
  expect(missing.stderr).toContain('the server has no model "other". It offers qwen3-coder.')
  expect((await haft(program, ['models', 'add'])).code).toBe(2)
  expect((await add('--base-url', work.url)).code).toBe(2)
  expect(existsSync(join(program.home, 'managed.toml'))).toBe(false)
  expect(existsSync(join(program.home, 'model-keys.json'))).toBe(false)
  for (const [name, url, problem] of [
    ['a:b', work.url, /models\.a:b: the name of a model has no colon/],
    ['', work.url, /a model needs a name/],
    ['work', '127.0.0.1:8080', /expected an address such as/],
  ] as const) {
    const wrong = await haft(
      program,
      ['models', 'add', name, '--provider', 'openai', '--base-url', url, '--model', 'm', '--untried', '--key-stdin'],
      { input: 'sk-lost' },
    )
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(problem)])
  }
  expect(existsSync(join(program.home, 'managed.toml'))).toBe(false)
  expect(existsSync(join(program.home, 'model-keys.json'))).toBe(false)
  expect((await add('--base-url', work.url, '--model', 'other', '--untried')).code).toBe(0)
})

test('haft models add asks for provider, address, key, model and name, and does not show the key', async () => {
  const program = buildProgram()
  const work = await startWork()
  const terminal = openTerminal([process.execPath, program.main, 'models', 'add'], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home, NO_COLOR: '1' },
  })
  await terminal.waitFor(/2 openai.*Provider \(number or name\) ›/s)
  terminal.type('2')
  terminal.press('Enter')
  await terminal.waitFor(/Address \(empty for OpenAI\) ›/)
  terminal.type(work.url)
  terminal.press('Enter')
  await terminal.waitFor(/Key \(empty for none; it is not shown\) ›/)
  terminal.type('sk-typed')
  terminal.press('Enter')
  await terminal.waitFor(/1 qwen3-coder.*Model \(number or name\) ›/s)
  terminal.type('qwen3-coder')
  terminal.press('Enter')
  await terminal.waitFor(/Name › qwen3-coder/)
  terminal.press('Enter')
  const screen = await terminal.waitFor(/exit=0/)
  expect(screen).toContain('qwen3-coder is added.')
  expect(screen).not.toContain('sk-typed')
  expect(JSON.parse(readFileSync(join(program.home, 'model-keys.json'), 'utf8'))).toEqual({ 'qwen3-coder': 'sk-typed' })
})

test('Ctrl-C at the question for the key stores nothing', async () => {
  const program = buildProgram()
  const terminal = openTerminal([process.execPath, program.main, 'models', 'add'], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home, NO_COLOR: '1' },
  })
  await terminal.waitFor(/Provider \(number or name\) ›/)
  terminal.type('ollama')
  terminal.press('Enter')
  await terminal.waitFor(/Address \(empty for Ollama on this machine\) ›/)
  terminal.press('Enter')
  await terminal.waitFor(/Key /)
  terminal.press('C-c')
  expect(await terminal.waitFor(/exit=2/)).toContain('Nothing was stored.')
  expect(existsSync(join(program.home, 'managed.toml'))).toBe(false)
})

test('haft doctor sends a chat with --probe alone', async () => {
  const program = buildProgram()
  const ollama = await startOllama()
  const env = { OLLAMA_HOST: ollama.url, HAFT_MODEL: 'ollama:qwen3:8b' }
  await haft(program, ['doctor', '--json'], { env })
  expect(ollama.chats()).toEqual([])
  const { stdout } = await haft(program, ['doctor', '--probe', '--json'], { env })
  const findings: { what: string }[] = JSON.parse(stdout).findings
  expect(findings.find(({ what }) => what === 'model')).toMatchObject({
    holds: true,
    seen: expect.stringMatching(/^ollama:qwen3:8b answered in .* with 5 tokens and called the tool/),
  })
  expect(ollama.chats()).toHaveLength(1)
  const unset = await haft(program, ['doctor', '--probe', '--json'], { env: await nowhere() })
  expect(unset.stdout).toContain('No model is chosen. Set model in settings.toml, or HAFT_MODEL.')
})

test('what a model replies can be recorded, and replayed without its server', async () => {
  const home = await openHome({ home: temporaryFolder() })
  const work = await startWork()
  await home.models.add({ name: 'work', settings: { provider: 'openai', model: 'qwen3-coder', baseUrl: work.url } })
  const record = join(temporaryFolder(), 'run.jsonl')
  const { reply } = await askModel(await home.models.open('work', { record }))
  expect((await askModel(await home.models.open(`replay:${record}`))).reply).toEqual(reply)
  expect(work.chats()).toHaveLength(1)
  await home.close()
})

test('a model of settings.toml counts above one of managed.toml, and its name cannot be added again', async () => {
  const home = temporaryFolder()
  const work = await startWork()
  const table = (model: string) =>
    `[models.work]\nprovider = "openai"\nmodel = "${model}"\nbase_url = "${work.url}/v1"\n`
  writeFileSync(join(home, 'managed.toml'), `model = "work"\n${table('old')}`)
  writeFileSync(join(home, 'settings.toml'), table('qwen3-coder'))
  const opened = await openHome({ home })
  await askModel(await opened.models.open())
  expect(work.chats()[0]?.body).toMatchObject({ model: 'qwen3-coder' })
  const settings = { provider: 'openai' as const, model: 'x' }
  await expect(opened.models.add({ name: 'work', settings })).rejects.toThrow(/settings.toml has a model work already/)
  await opened.close()
})
