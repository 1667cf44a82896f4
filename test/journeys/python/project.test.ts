import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHost, type HostOptions } from '../../../src/index.ts'
import { NO_PROGRAMS } from '../../support/no-programs.ts'
import { type FileTexts, toolFile, writeFiles } from '../../support/python-tools.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Opens a host on a project with these tool files, which the person has trusted; every approval request is answered yes. */
async function projectHost(files: FileTexts, options: HostOptions = {}) {
  const [home, workspace] = [temporaryFolder(), temporaryFolder()]
  writeFiles(join(workspace, '.haft/tools'), files)
  const open = async () => {
    const host = await createHost({
      home,
      workspace,
      storage: 'memory',
      approver: { ask: async () => ({ approved: true }) },
      ...options,
    })
    onTestFinished(() => host.close())
    return host
  }
  const first = await open()
  first.trustProject()
  await first.close()
  return { host: await open(), home, workspace, open, first }
}

const READ = { effect: 'read' }

test("a project's tools are not run before the project is trusted, and not after they changed", async () => {
  const mark = 'made-by-import'
  const { host, workspace, first, open } = await projectHost({
    'a.py': toolFile(`def hello(): return "hello"\ndef later(): return "later"`, { hello: READ, later: {} }),
  })
  expect(first.registry.snapshot().find('hello')).toBeUndefined()
  expect(first.registry.snapshot().skipped).toEqual([
    { source: 'project python', reason: expect.stringContaining('haft trust') },
  ])
  expect(first.project.ignored).toEqual(['tools of .haft/tools/a.py'])
  expect(host.registry.snapshot().find('hello')).toMatchObject({ origin: 'project' })
  expect(await host.check('hello')).toMatchObject({ decision: 'ask', rule: 'origin project' })
  expect(await host.call('hello')).toMatchObject({ ok: true, data: 'hello' })
  expect(await host.call('later')).toMatchObject({ ok: true, data: 'later' })
  writeFiles(join(workspace, '.haft/tools'), { 'a.py': toolFile('def later(): return "swapped"', { later: {} }) })
  expect(await host.call('later')).toMatchObject({ code: 'UNAVAILABLE', text: expect.stringContaining('haft trust') })
  writeFiles(join(workspace, '.haft/tools'), { 'a.py': `open(${JSON.stringify(join(workspace, mark))}, "w")` })
  await host.refreshTools()
  expect(host.registry.snapshot().find('hello')).toBeUndefined()
  expect((await open()).project.isTrusted).toBe(false)
  expect(existsSync(join(workspace, mark))).toBe(false)
})

test("a project's tool cannot read outside the workspace, change it while it only reads, or reach the network", async () => {
  const outside = join(temporaryFolder(), 'secret.txt')
  writeFiles(join(outside, '..'), { 'secret.txt': 'secret' })
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const code = `
import os, socket
def read(path): return open(path).read()
def write(path): open(path, "w").write("changed")
def connect(port): socket.create_connection(("127.0.0.1", port), timeout=2)
def environment(): return sorted(os.environ)
def inside(): return read("note.txt")
`
  for (const effect of ['read', 'run']) {
    const specs = Object.fromEntries(
      ['read', 'write', 'connect', 'environment', 'inside'].map((name) => [name, { effect }]),
    )
    const { host, workspace, home } = await projectHost({ 'a.py': toolFile(code, specs) })
    writeFiles(workspace, { 'note.txt': 'noted' })
    expect(await host.call('inside')).toMatchObject({ ok: true, data: 'noted' })
    for (const path of [outside, join(home, 'trust.json'), '/root/.bashrc', '/etc/shadow'])
      expect(await host.call('read', { path })).toMatchObject({
        ok: false,
        text: expect.stringMatching(/FileNotFoundError|PermissionError/),
      })
    expect(await host.call('connect', { port })).toMatchObject({ ok: false, text: expect.stringMatching(/Error/) })
    expect(connections).toBe(0)
    expect(await host.call('write', { path: outside })).toMatchObject({ ok: false })
    expect(readFileSync(outside, 'utf8')).toBe('secret')
    const names = await host.call('environment')
    expect(names.text).not.toMatch(/HAFT|TOKEN|KEY/)
    const written = await host.call('write', { path: 'note.txt' })
    expect(written.ok).toBe(effect === 'run')
    expect(readFileSync(join(workspace, 'note.txt'), 'utf8')).toBe(effect === 'run' ? 'changed' : 'noted')
  }
})

test("what a project's tool changes is judged like a command, shown, and can be undone", async () => {
  const code = `
import pathlib
def write(path, text="made"):
    print("writing")
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_text(text)
    return {"path": path}
async def later(path):
    pathlib.Path(path).write_text("later")
    return "done"
def fail(path):
    pathlib.Path(path).write_text("half")
    raise ValueError("half way")
`
  const { host, workspace } = await projectHost({ 'a.py': toolFile(code, { write: {}, later: {}, fail: {} }) })
  const { id, result } = host.start('write', { path: 'new.txt' })
  expect(await result).toMatchObject({
    ok: true,
    text: '{"path":"new.txt"}\n[added new.txt]',
    data: { path: 'new.txt' },
  })
  expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('made')
  expect((await host.log.read()).find((event) => event.type === 'call-delta' && event.call === id)).toMatchObject({
    text: 'writing\n',
  })
  expect(await host.call('later', { path: 'new.txt' })).toMatchObject({ ok: true, text: 'done\n[changed new.txt]' })
  expect(await host.call('write', { path: '.git/hooks/pre-commit' })).toMatchObject({ ok: false })
  expect(existsSync(join(workspace, '.git/hooks/pre-commit'))).toBe(false)
  expect(await host.call('fail', { path: 'half.txt' })).toMatchObject({
    ok: false,
    text: 'ValueError: half way\n[added half.txt]',
  })
})

test("a project's tools that crash or hang harm nothing else", async () => {
  const code = `
import os, time
def leave(): os._exit(4)
def hang():
    while True: time.sleep(60)
def fine(): return "fine"
`
  for (const effect of ['read', 'run']) {
    const { host } = await projectHost({
      'a.py': toolFile(code, { leave: { effect }, hang: { effect }, fine: { effect } }),
    })
    expect(await host.call('leave')).toMatchObject({ ok: false, text: expect.stringContaining('exit code 4') })
    expect(await host.call('hang', {}, { timeout: 1 })).toMatchObject({ code: 'TIMEOUT', details: { work: 'stopped' } })
    expect(await host.call('fine')).toMatchObject({ ok: true, data: 'fine' })
  }
})

test("without a sandbox a project's tools are not offered, and the reason says what to install", async () => {
  const files = { 'a.py': toolFile('def hello(): return 1', { hello: READ }) }
  const { chooseSandbox } = await import('../../../src/sandbox/choose.ts')
  const place = { workspace: temporaryFolder(), off: false, env: { PATH: '' }, home: temporaryFolder() }
  const sandbox = await chooseSandbox({ ...place, platform: 'linux', programs: NO_PROGRAMS, replaced: () => undefined })
  const { host } = await projectHost(files, { sandbox })
  expect(host.registry.snapshot().find('hello')).toBeUndefined()
  expect(host.registry.snapshot().skipped[0]?.reason).toMatch(/apt-get install bubblewrap/)
  const off = await projectHost(files, { sandbox: 'off' })
  expect(off.host.registry.snapshot().skipped[0]?.reason).toMatch(/only in the sandbox, which your settings turn off/)
})
