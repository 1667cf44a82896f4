import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toAnthropic, toGemini, toOllama, toOpenAI } from '../../../src/index.ts'
import { agreeing, hostileServer, openMcpHome } from '../../support/mcp/open-mcp-home.ts'
import { eventually } from '../../support/processes.ts'

test('a server that claims to only read is not believed: its tools ask', async () => {
  const { home, host } = await openMcpHome({ bad: hostileServer() })
  await home.mcp.test('bad')
  await host.refreshTools()
  const report = await host.check('bad:echo', {})
  expect(report).toMatchObject({ decision: 'ask' })
  expect(JSON.stringify(report)).toContain('Haft does not rely on it')
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true, text: 'echo' })
})

test('a tool whose name is not legal is skipped and named, and no control character reaches a description', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  const { tools, skipped } = host.registry.snapshot()
  expect(skipped.map(({ reason }) => reason).join()).toContain('"bad:not a name" is not a valid tool name')
  const hidden = tools.find(({ tool }) => tool.name === 'bad:hidden')
  expect(hidden?.tool.description).toBe('Looks \\u{1b}[2Jharmless\\u{202e}.')
})

test('garbage on its output, and a second answer, harm nothing', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  expect(await host.call('bad:garbage', {})).toMatchObject({ ok: true, text: 'after garbage' })
  expect(await host.call('bad:twice', {})).toMatchObject({ ok: true, text: 'first' })
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true, text: 'echo' })
})

test('a server that dies in the middle of a call is described, and started again', async () => {
  const { home, host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  const died = await host.call('bad:die', {})
  expect(died).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(died.text).toContain('ended in the middle of the call: it ended with exit code 7')
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
  expect(await home.mcp.list()).toMatchObject([{ state: 'ready', stderr: expect.stringContaining('hostile server') }])
})

test('a message of 100 MB ends the server, not Haft', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  expect((await host.call('bad:huge', {})).text).toContain('it sent a message of more than 10 MB')
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
})

test.each(['flood', 'progress', 'pings'])('a flood of messages (%s) ends the server, not Haft', async (name) => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  expect((await host.call(`bad:${name}`, {})).text).toContain('it sent more messages than Haft can read')
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
})

test('an answer to another id is not taken for the answer of a call', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  expect(await host.call('bad:other', {})).toMatchObject({ ok: true, text: 'of this call' })
})

test('a server that asks for a completion or for folders is refused', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  const { text } = await host.call('bad:sample', {})
  expect(JSON.parse(text)).toMatchObject({ code: -32_601 })
})

test('a result of 5 MB is bounded like any other, and can be read on', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  const result = await host.call('bad:long', {})
  expect(result.ok).toBe(true)
  expect(result.text.length).toBeLessThan(100_000)
  expect(result.text).toContain('read_output')
})

test('an error of 1 MB is cut', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  const { text, ...rest } = await host.call('bad:refuse', {})
  expect(rest).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(text).toContain('The MCP server bad refused the call: no')
  expect(text.length).toBeLessThan(100_000)
})

test('a pattern that takes for ever, and a result that breaks its own schema, end as errors', async () => {
  const { host } = await openMcpHome({ bad: hostileServer() })
  await host.refreshTools()
  const slow = await host.call('bad:slow-pattern', {})
  expect(slow).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  const lie = await host.call('bad:liar', {})
  expect(lie.text).toMatch(/bad:liar ran, but what it returned does not match its own output schema:\n- .*n/)
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
})

test.each([
  ['many', 500, 'it lists 100000 tools; only the first 500 are taken'],
  ['deep', 1, 'the schema of "deep" is nested too deep'],
  ['heavy', 13, 'its tools are too large together'],
  ['wide', 1, 'the schema of "wide" is larger than 200 KB'],
])(
  'a list of tools that is out of bounds (%s) is taken as far as it goes, and described',
  async (habit, count, reason) => {
    const { home, host } = await openMcpHome({ bad: hostileServer(habit) })
    expect((await home.mcp.test('bad')).tools).toBe(count)
    await host.refreshTools()
    const { skipped } = host.registry.snapshot()
    expect(skipped.map((one) => one.reason).join('\n')).toContain(reason)
    expect(host.registry.list().filter(({ name }) => name.startsWith('bad:'))).toHaveLength(count)
  },
)

test.each([
  ['endless', 'pagination did not terminate'],
  ['nonsense', 'tools'],
])('a list of tools that cannot be read (%s) is described', async (habit, reason) => {
  const { home } = await openMcpHome({ bad: hostileServer(habit) })
  await expect(home.mcp.test('bad')).rejects.toThrow('The MCP server bad cannot be used')
  const [listed] = await home.mcp.list()
  expect(listed?.problem).toContain(reason)
  expect(listed?.problem?.length).toBeLessThan(3_000)
})

test('a schema that refers to itself is offered, checked and written for every kind of model', async () => {
  const { host } = await openMcpHome({ bad: hostileServer('cycle') })
  await host.refreshTools()
  expect(await host.call('bad:echo', { list: { next: { next: {} } } })).toMatchObject({ ok: true })
  expect(await host.call('bad:echo', { list: { next: 3 } })).toMatchObject({ code: 'INVALID_ARGUMENTS' })
  for (const made of [toOpenAI(host), toAnthropic(host), toGemini(host), toOllama(host)])
    expect(JSON.stringify(made)).toContain('bad_echo')
})

test('a description of 2 MB of control characters is cut and readable', async () => {
  const { host } = await openMcpHome({ bad: hostileServer('wordy') })
  await host.refreshTools()
  const { description = '' } = host.registry.get('bad:echo') ?? {}
  expect(description.length).toBeLessThan(10_000)
  expect(description).toMatch(/^x\\u\{7\}x/)
})

test('names that clash, lie or are too long take nothing from other tools', async () => {
  const { home, host, workspace } = await openMcpHome({ read: hostileServer('tricky'), other: hostileServer('tricky') })
  await home.mcp.settle()
  await host.refreshTools()
  const { tools, skipped, find } = host.registry.snapshot()
  const names = tools.filter(({ source }) => source === 'read').map(({ tool }) => tool.name)
  expect(names).toEqual(['read:file', 'read:__proto__', 'read:constructor', 'read:echo'])
  expect(find('read_file')?.origin).toBe('built-in')
  expect(new Set(tools.map(({ wireName }) => wireName)).size).toBe(tools.length)
  writeFileSync(join(workspace, 'a.txt'), 'mine')
  expect(await host.call('read_file', { path: 'a.txt' })).toMatchObject({ ok: true, data: { content: 'mine' } })
  const reasons = skipped.map(({ reason }) => reason).join('\n')
  expect(reasons).toContain('"read:a\\\\u{202e}b" is not a valid tool name')
  expect(reasons).toContain('it lists "echo" twice; the first one is taken')
  expect(reasons.length).toBeLessThan(5_000)
  const [listed] = await home.mcp.list()
  expect(listed?.skipped).toHaveLength(3)
})

test('the name of a server, its error output and its problems are shown without control characters, bounded and without secrets', async () => {
  process.env.HAFT_TEST_KEY = 'correct-horse-7'
  onTestFinished(() => void delete process.env.HAFT_TEST_KEY)
  const loud = { ...hostileServer('loud'), env: { API_KEY: '$' + '{HAFT_TEST_KEY}' } }
  const keyed = { ...hostileServer('dead'), args: [...hostileServer('dead').args, '--api-key', 'hunter22222'] }
  const { home } = await openMcpHome({ named: hostileServer('named'), loud, keyed })
  await home.mcp.settle()
  await expect
    .poll(async () => (await home.mcp.list()).find(({ name }) => name === 'loud')?.stderr)
    .toContain('the end')
  const listed = await home.mcp.list()
  const text = JSON.stringify(listed)
  expect(text).not.toMatch(/correct-horse-7|hunter22222|\\u001b|\u202e/)
  expect(text).toContain('key [masked')
  expect(text).toContain('--api-key [masked')
  expect(text.length).toBeLessThan(60_000)
  expect(listed[0]?.server).toMatch(/^evil\\u\{1b\}/)
})

/** The names of the variables that a program gets, of these. */
async function passedOn(variables: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const script = 'console.error("names " + Object.keys(process.env) + " end")'
  const { home } = await openMcpHome({ names: { command: process.execPath, args: ['-e', script] } })
  await expect(home.mcp.test('names')).rejects.toThrow('It wrote: names')
  const stderr = (await home.mcp.list())[0]?.stderr ?? ''
  const names = /names (.*) end/.exec(stderr)?.[1]?.split(',') ?? []
  return names.filter((name) => Object.hasOwn(variables, name))
}

test('a program gets no key and no token of the environment that its settings do not name', async () => {
  const secrets = ['API_KEY', 'NPM_TOKEN', 'npm_config__auth', 'NPM_CONFIG_//127.0.0.1/:_authToken', 'npm_config_otp']
  expect(await passedOn(Object.fromEntries(secrets.map((name) => [name, 'of another program'])))).toEqual([])
})

test('a program gets what npx and uvx need behind the proxy of a company, and the settings of npm', async () => {
  const names = [
    ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
    ...['npm_config_registry', 'NPM_CONFIG_CAFILE', 'npm_config_userconfig', 'npm_config_keyfile'],
  ]
  vi.stubEnv('npm_lifecycle_event', undefined)
  expect((await passedOn(Object.fromEntries(names.map((name) => [name, '/nonexistent'])))).sort()).toEqual(names.sort())
})

test('what npm read from the .npmrc of a project does not reach a program when npm started Haft', async () => {
  const given = { npm_lifecycle_event: 'npx', npm_config_registry: 'http://127.0.0.1:9/', NPM_CONFIG_CAFILE: '/mine' }
  expect(await passedOn(given)).toEqual(['NPM_CONFIG_CAFILE'])
})

test('a call that hangs ends with its time limit; the server is told, and can be used on', async () => {
  const { home, host } = await openMcpHome({ bad: { ...hostileServer(), timeout: 1 } })
  await host.refreshTools()
  expect(await host.call('bad:hang', {})).toMatchObject({ ok: false, code: 'TIMEOUT' })
  await expect.poll(async () => (await home.mcp.list())[0]?.stderr).toContain('a call was cancelled')
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
})

test('a question of a server becomes questions to the person, asked again where an answer does not fit', async () => {
  const approver = agreeing(['Ada', 'old', '36'])
  const { host } = await openMcpHome({ bad: hostileServer() }, { approver })
  await host.refreshTools()
  const { text } = await host.call('bad:ask', {})
  expect(JSON.parse(text)).toEqual({ action: 'accept', content: { name: 'Ada', age: 36 } })
  expect(approver.questions[0]).toContain('The MCP server bad asks: Who are you?')
  expect(approver.questions[2]).toContain('"old" does not fit: a whole number is expected')
})

test('a question is not put to a session that may not be the one it belongs to', async () => {
  const approver = agreeing(['Ada', '36'])
  const { host } = await openMcpHome({ bad: hostileServer() }, { approver })
  await host.refreshTools()
  const [one, other] = [await host.session(), await host.session()]
  const controller = new AbortController()
  one.start('bad:hang', {}, { signal: controller.signal })
  await expect.poll(async () => (await one.events()).some(({ type }) => type === 'call-run')).toBe(true)
  const { text } = await other.call('bad:ask', {})
  expect(JSON.parse(text)).toEqual({ action: 'cancel' })
  expect(approver.questions).toEqual([])
  controller.abort()
})

test('of 20 servers 5 are dead: start-up waits for none, and the living are ready without them', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `s${at}`)
  const servers = Object.fromEntries(names.map((name, at) => [name, hostileServer(at % 4 === 0 ? DEAD[at / 4] : '')]))
  const { home, host } = await openMcpHome(servers)
  expect(host.registry.list().some(({ name }) => name === 'read_file')).toBe(true)
  const session = await host.session()
  await eventually(async () => (await home.mcp.list()).filter(({ state }) => state === 'ready').length === 15)
  const states = Object.fromEntries((await home.mcp.list()).map(({ name, state }) => [name, state]))
  // Two never answer and are still waited for; the others did not wait for them.
  expect([states.s4, states.s12]).toEqual(['starting', 'starting'])
  await eventually(async () => session.snapshot.find('s1:echo') !== undefined)
  expect(await session.call('s1:echo', {})).toMatchObject({ ok: true })
  expect(await session.events()).toContainEqual(expect.objectContaining({ type: 'tools-changed' }))
})

const DEAD = ['dead', 'silent', 'dead', 'silent', 'dead']
