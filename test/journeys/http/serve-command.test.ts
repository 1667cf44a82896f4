import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeSampleProject } from '../../../scripts/sample-project.ts'
import { mayOpenBrowser } from '../../../src/cli/serve/open-browser.ts'
import { createClient } from '../../../src/client/client.ts'
import { startServeProcess } from '../../support/http/serve-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openTerminal } from '../../support/terminal.ts'

const root = join(import.meta.dirname, '../../..')
const MAIN = join(root, 'dist/main.js')
const newPlace = () => ({ folder: join(temporaryFolder(), 'home'), workspace: temporaryFolder() })

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends the server cleanly with exit code %i: streams are told, commands end, nothing is left',
  async ([signal, code]) => {
    const place = newPlace()
    const { client, end } = await startServeProcess(place)
    const states: string[] = []
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const follow = async () => {
      for await (const _ of client.events({ signal: stop.signal, onState: (state) => states.push(state) }))
        states.push('event')
    }
    follow().catch(() => undefined)
    const calling = client.callTool({ name: 'shell', arguments: { command: 'sleep 313.5' } }).catch(() => undefined)
    await expect
      .poll(async () => (await client.listCalls({ tool: 'shell' })).calls[0]?.ran, { timeout: 10_000 })
      .toBe(true)
    expect(await end(signal)).toBe(code)
    await calling
    expect(states).toContain('lost')
    expect(spawnSync('pgrep', ['-f', '^sleep 313.5']).status).toBe(1)
    expect(existsSync(join(place.folder, 'server.json'))).toBe(false)
  },
)

test('the printed link signs a page in; --link prints another; the token is never printed', async () => {
  const place = newPlace()
  const { link, url, token } = await startServeProcess(place)
  const signIn = (one: string) => createClient({ url }).signIn({ code: new URL(one).hash.replace('#code=', '') })
  expect(await signIn(link)).toEqual({ token })
  const env = { ...process.env, HAFT_HOME: place.folder }
  const made = execFileSync(process.execPath, [MAIN, 'serve', '--link'], { env, encoding: 'utf8' }).trim()
  expect(made).not.toContain(token)
  expect(await signIn(made)).toEqual({ token })
  const none = spawnSync(process.execPath, [MAIN, 'serve', '--link', '--json'], {
    env: { ...env, HAFT_HOME: temporaryFolder() },
    encoding: 'utf8',
  })
  expect(none.status).toBe(1)
  expect(JSON.parse(none.stdout)).toMatchObject({ code: 'UNAVAILABLE', text: expect.stringContaining('haft serve') })
})

test('a port in use is named, and the next one is taken', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void blocker.close())
  const address = blocker.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const place = newPlace()
  const env = { ...process.env, HAFT_HOME: place.folder, NO_COLOR: '1', CI: '1' }
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', String(port), '--workspace', place.workspace], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text
    })
  await expect.poll(() => shown, { timeout: 15_000 }).toContain('Ctrl-C stops the server')
  const taken = new RegExp(`Port ${port} is in use, so this is port (\\d+)`).exec(shown)?.[1]
  expect(Number(taken)).toBeGreaterThan(port)
  expect(shown).toContain(`http://127.0.0.1:${taken}/#code=`)
  expect(shown).toMatch(/model +demo/)
  expect(shown).toMatch(/sandbox +works/)
  expect(shown).toMatch(/tools +\d+/)
  expect(shown).not.toContain(readFileSync(join(place.folder, 'server-token'), 'utf8').trim())
  child.kill('SIGINT')
  await once(child, 'close')
})

test('what it prints fits narrow terminals, and Ctrl-C ends it', { timeout: 60_000 }, async () => {
  const place = newPlace()
  const env = { HAFT_HOME: place.folder, CI: '1' }
  const terminal = openTerminal([process.execPath, MAIN, 'serve', '--port', '0', '--workspace', place.workspace], {
    cwd: place.workspace,
    columns: 60,
    rows: 40,
    env,
  })
  const screen = await terminal.waitFor(/Ctrl-C stops/)
  expect(screen).toContain('#code=')
  terminal.press('C-c')
  await terminal.waitFor(/exit=130/)
})

test('wrong options are named', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, 'serve', ...args], {
      encoding: 'utf8',
      env: { ...process.env, HAFT_HOME: temporaryFolder() },
    })
  expect(run('--port', 'x')).toMatchObject({ status: 2, stderr: expect.stringContaining('--port x') })
  expect(run('--port', '0', '--host', '203.0.113.7')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('203.0.113.7'),
  })
  expect(run('--port', '0', '--workspace', '/no/such/folder')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('/no/such/folder'),
  })
})

test('a browser is opened only with a terminal and a display, never over SSH or in CI', () => {
  expect(mayOpenBrowser({ DISPLAY: ':0' }, true)).toBe(true)
  expect(mayOpenBrowser({ WAYLAND_DISPLAY: 'w' }, true)).toBe(true)
  expect(mayOpenBrowser({ DISPLAY: ':0' }, false)).toBe(false)
  expect(mayOpenBrowser({}, true)).toBe(process.platform === 'darwin')
  for (const name of ['CI', 'SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'])
    expect(mayOpenBrowser({ DISPLAY: ':0', [name]: '1' }, true)).toBe(false)
})

test('the sample project is a git repository, is made once, and never lies in the folder of Haft', () => {
  const folder = join(temporaryFolder(), 'haft-sample')
  expect(makeSampleProject(folder, '/home/x/.haft')).toBe(folder)
  expect(execFileSync('git', ['-C', folder, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('')
  const before = statSync(join(folder, 'README.md')).mtimeMs
  makeSampleProject(folder, '/home/x/.haft')
  expect(statSync(join(folder, 'README.md')).mtimeMs).toBe(before)
  expect(() => makeSampleProject('/home/x/.haft/haft-sample', '/home/x/.haft')).toThrow(/HAFT_WORKSPACE/)
})

test('npm start serves the sample project in the home folder', { timeout: 120_000 }, async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'tmp'))
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: join(home, 'tmp'), CI: '1', NO_COLOR: '1' }
  const child = spawn(process.execPath, ['scripts/start.ts', '--port', '0', '--json'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  await expect.poll(() => shown, { timeout: 100_000 }).toContain('"link"')
  const started = JSON.parse(shown.slice(shown.indexOf('{')))
  expect(started).toMatchObject({ workspace: join(home, 'haft-sample'), model: 'demo' })
  expect(existsSync(join(home, '.haft/server-token'))).toBe(true)
  child.kill('SIGINT')
  expect((await once(child, 'close'))[0]).toBe(130)
})
