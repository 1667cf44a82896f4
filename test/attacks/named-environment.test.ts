import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHome } from '../../src/app/home.ts'
import { addManagedServer } from '../../src/settings/managed/managed-mcp.ts'
import { temporaryFolder } from '../support/example-host.ts'
import { pythonHost, toolFile, writeFiles } from '../support/python-tools.ts'

const OWN = { 'own.py': toolFile('import sys\ndef own(): return sys.prefix', { own: { effect: 'none' } }) }

/** A workspace with a virtual environment. */
function makeWorkspace(): string {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, 'py/.venv/bin'), { recursive: true })
  symlinkSync('/usr/bin/python3', join(workspace, 'py/.venv/bin/python3'))
  symlinkSync('py/.venv', join(workspace, 'short'))
  writeFileSync(join(workspace, 'py/.venv/pyvenv.cfg'), 'home = /usr/bin\n')
  return workspace
}

async function open(workspace: string, settings: string) {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), settings)
  return (await pythonHost(OWN, { workspace, home })).host
}

const PLANTED = ['py/.venv/lib/x.pth', 'py/.venv/bin/python', 'py/.venv/pyvenv.cfg', 'short/sitecustomize.txt']

test.for([
  ['the folder', 'py/.venv'],
  ['its interpreter', 'py/.venv/bin/python3'],
  ['a link to it', 'short'],
] as const)(
  'an environment of the workspace that settings name by %s runs own tools, and changes to it ask',
  async ([, named]) => {
    const workspace = makeWorkspace()
    const host = await open(workspace, `python = "${join(workspace, named)}"\nmode = "edit"\n`)
    expect(await host.call('own')).toMatchObject({ ok: true, data: join(workspace, named.replace(/\/bin.*/, '')) })
    for (const path of PLANTED) {
      const file = await host.check('write_file', { path, content: 'import os\n' })
      expect(file, path).toMatchObject({ decision: 'ask', rule: 'ask_trusted_files' })
      const code = `mkdir -p "$(dirname ${path})"; echo x > ${path}`
      const ran = await host.call('run_code', { language: 'bash', code })
      expect(ran, path).toMatchObject({ ok: false, code: 'DENIED' })
    }
    const moved = await host.call('run_code', {
      language: 'bash',
      code: 'mv py elsewhere; echo x > elsewhere/.venv/bin/python; mv elsewhere py',
    })
    expect(moved).toMatchObject({ ok: false, code: 'DENIED' })
    expect(existsSync(join(workspace, 'py/.venv/bin/python'))).toBe(false)
    expect(await host.check('write_file', { path: 'py/ordinary.py', content: '' })).toMatchObject({ decision: 'allow' })
  },
)

test('what starts an MCP server by a path in the workspace is guarded in the same way', async () => {
  const workspace = makeWorkspace()
  writeFiles(workspace, { 'server.mjs': '', 'data/x.txt': '' })
  const args = JSON.stringify([join(workspace, 'server.mjs'), join(workspace, 'data')])
  const host = await open(workspace, `mode = "edit"\n[mcp.mine]\ncommand = "node"\nargs = ${args}\n`)
  const check = async (path: string) => (await host.check('write_file', { path, content: '1' })).decision
  expect([await check('server.mjs'), await check('data/x.txt')]).toEqual(['ask', 'allow'])
})

test('a program of an MCP server is guarded where a variable names it, before it exists, and as soon as the server is added', async () => {
  const workspace = makeWorkspace()
  const home = temporaryFolder()
  symlinkSync(workspace, join(home, 'link'))
  process.env.OWN_PROJECT = workspace
  try {
    const one = `[mcp.one]\ncommand = "node"\nargs = ["\${OWN_PROJECT}/dist/server.js"]\n`
    const two = `[mcp.two]\ncommand = "node"\ncwd = "${home}/link"\nargs = ["out/server.js"]\n`
    writeFileSync(join(home, 'settings.toml'), `mode = "edit"\n${one}${two}`)
    const opened = await openHome({ home })
    onTestFinished(() => opened.close())
    const host = await opened.host(workspace)
    const check = async (path: string) => (await host.check('write_file', { path, content: '1' })).decision
    expect([await check('dist/server.js'), await check('out/server.js')]).toEqual(['ask', 'ask'])
    expect(await check('late/server.js')).toBe('allow')
    const late = { command: 'node', args: [join(workspace, 'late/server.js')] }
    await addManagedServer(home, 'three', late)
    await expect.poll(() => check('late/server.js')).toBe('ask')
    const code = 'mkdir late; echo 1 > late/server.js'
    expect(await host.call('run_code', { language: 'bash', code })).toMatchObject({ ok: false, code: 'DENIED' })
  } finally {
    delete process.env.OWN_PROJECT
  }
})

test('an environment of the workspace that only PATH names runs no own tool, and the list of tools says what to add', async () => {
  const workspace = makeWorkspace()
  const before = process.env.PATH
  process.env.PATH = `${join(workspace, 'py/.venv/bin')}:/usr/bin:/bin`
  try {
    const host = await open(workspace, '')
    expect(await host.call('own')).toMatchObject({ ok: true, data: '/usr' })
    const line = `python = "${join(workspace, 'py/.venv')}"`
    expect(host.registry.snapshot().skipped).toMatchObject([{ isWarning: true, reason: expect.stringContaining(line) }])
    const findings = await host.examine()
    expect(findings.find(({ seen }) => seen.startsWith('python:'))?.seen).toContain(line)
    expect(await host.check('write_file', { path: 'py/.venv/lib/x.pth', content: '' })).toMatchObject({
      decision: 'allow',
    })
  } finally {
    process.env.PATH = before
  }
})

test('own tools get the environment of the person without the keys that Haft itself reads', async () => {
  const home = temporaryFolder()
  writeFiles(home, {
    'settings.toml':
      '[models.work]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9"\napi_key_env = "WORK_KEY"\n',
    'tools/env.mjs':
      "export default { name: 'nodeenv', description: 'x', inputSchema: { type: 'object', properties: {} }, execute: async () => ({ ok: true, value: Object.keys(process.env).join(' ') }) }",
  })
  const names = [
    'HAFT_TOKEN',
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'BRAVE_API_KEY',
    'WORK_KEY',
    'WEATHER_KEY',
  ]
  for (const name of names) process.env[name] = 'x'
  try {
    const code = 'import os\ndef env(): return " ".join(os.environ)'
    const { host } = await pythonHost({ 'own.py': toolFile(code, { env: { effect: 'none' } }) }, { home })
    for (const tool of ['env', 'nodeenv']) {
      const { text } = await host.call(tool, {}, { decision: 'allow' })
      expect(
        names.filter((name) => text.split(/[\s"]+/).includes(name)),
        text,
      ).toEqual(['WEATHER_KEY'])
    }
  } finally {
    for (const name of names) delete process.env[name]
  }
})
