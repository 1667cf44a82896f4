import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, HostOptions } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

const PACKAGE = { name: 'a', version: '1.0.0', workspaces: ['packages/*'], scripts: { test: 'true' } }

async function openHost(options: HostOptions = {}): Promise<Host> {
  const host = await exampleHost({ home: temporaryFolder(), ...options })
  mkdirSync(join(host.workspace, 'packages'))
  writeFileSync(join(host.workspace, 'package.json'), `${JSON.stringify(PACKAGE, null, 2)}\n`)
  return host
}

/** Runs `npm install` as the person would, without the network. */
function install(workspace: string): void {
  const options = ['--offline', '--no-audit', '--no-fund', '--foreground-scripts']
  try {
    execFileSync('npm', ['install', ...options], {
      cwd: workspace,
      env: { PATH: process.env.PATH, HOME: temporaryFolder() },
      stdio: 'pipe',
      timeout: 60_000,
    })
  } catch {
    // A broken package is an error of npm, and harmless.
  }
}

/** Ways to make the next `npm install` touch `$CANARY`. */
const PLANTS = [
  ['a script of the project', 'npm pkg set scripts.postinstall="touch $CANARY"'],
  [
    'a script of a package of the project',
    `mkdir packages/b; echo "{\\"name\\":\\"b\\",\\"version\\":\\"1.0.0\\",\\"scripts\\":{\\"install\\":\\"touch $CANARY\\"}}" > packages/b/package.json`,
  ],
  [
    'an installed package that a link makes one of the project',
    `npm pkg set dependencies.x=1.0.0; mkdir -p node_modules/x/y; echo '{"name":"x","version":"1.0.0"}' > node_modules/x/package.json; echo "{\\"name\\":\\"b\\",\\"version\\":\\"1.0.0\\",\\"scripts\\":{\\"install\\":\\"touch $CANARY\\"}}" > node_modules/x/y/package.json; ln -s ../node_modules/x/y packages/b`,
  ],
  [
    'an archive that becomes a dependency',
    `mkdir package; echo "{\\"name\\":\\"b\\",\\"version\\":\\"1.0.0\\",\\"scripts\\":{\\"install\\":\\"touch $CANARY\\"}}" > package/package.json; tar czf b.tgz package; rm -r package; npm pkg set dependencies.b=file:b.tgz`,
  ],
  [
    'a link in place of package.json',
    `sed 's|"true"|"true", "prepare": "touch '$CANARY'"|' package.json > b.json; ln -sf b.json package.json`,
  ],
] as const

test.for(PLANTS)('S2.5 npm install runs nothing that a command planted without a question: %s', async ([, plant]) => {
  const canary = join(temporaryFolder(), 'canary')
  const host = await openHost()
  const code = `CANARY=${canary}\n${plant}`
  const call = { language: 'bash', code }
  const refused = await host.call('run_code', call)
  expect(refused).toMatchObject({ ok: false, code: 'DENIED', text: expect.stringContaining('execute or trust') })
  install(host.workspace)
  expect(existsSync(canary)).toBe(false)
  // With a yes it is applied, which shows that the plant works.
  const other = await openHost()
  expect(await other.call('run_code', call, { decision: 'allow' })).toMatchObject({ ok: true })
  install(other.workspace)
  expect(existsSync(canary)).toBe(true)
})

test('npm init, a dependency and an ordinary script are applied without a question', async () => {
  const host = await openHost()
  const code =
    'mkdir n && (cd n && npm init -y) && npm pkg set scripts.build=tsc dependencies.x=^1.0.0 && mkdir -p node_modules/x && echo \'{"name":"x","scripts":{"install":"true"}}\' > node_modules/x/package.json'
  expect(await host.call('run_code', { language: 'bash', code })).toMatchObject({ ok: true, data: { exitCode: 0 } })
  expect(readFileSync(join(host.workspace, 'package.json'), 'utf8')).toContain('"x": "^1.0.0"')
})

const SCRIPT = JSON.stringify({ ...PACKAGE, scripts: { postinstall: 'touch x' } })

test.for([
  ['write_file', { path: 'packages/b/package.json', content: SCRIPT }],
  [
    'write_file',
    { path: 'packages/b/package.json', content: Buffer.from(SCRIPT).toString('base64'), encoding: 'base64' },
  ],
  ['write_file', { path: 'package.json', content: SCRIPT }],
  ['edit_file', { path: 'package.json', edits: [{ old: '"test"', new: '"prepare"' }] }],
  ['edit_file', { path: 'packages/c/package.json', edits: [{ old: '', new: SCRIPT }] }],
  ['move_file', { from: 'b.json', to: 'packages/package.json' }],
] as const)('the same effect gets the same verdict: %s %j asks in the modes ask and edit', async ([name, args]) => {
  for (const mode of ['ask', 'edit'] as const) {
    const host = await openHost({ mode })
    writeFileSync(join(host.workspace, 'b.json'), SCRIPT)
    expect(await host.check(name, args)).toMatchObject({ decision: 'ask' })
    expect(await host.call(name, args)).toMatchObject({ ok: false, code: 'DENIED' })
  }
})

const SETUP = JSON.stringify({ ...PACKAGE, scripts: { postinstall: 'node scripts/setup.js' } })

test.for([
  ['write_file', { path: 'scripts/setup.js', content: 'run()' }],
  ['write_file', { path: './scripts/../scripts/setup.js', content: 'run()' }],
  ['edit_file', { path: 'scripts/setup.js', edits: [{ old: '', new: 'run()' }] }],
  ['move_file', { from: 'a.js', to: 'scripts/setup.js' }],
  ['move_file', { from: 'other', to: 'scripts' }],
] as const)('a file that an install script names asks, by whatever tool: %s %j', async ([name, args]) => {
  for (const mode of ['ask', 'edit'] as const) {
    const host = await openHost({ mode })
    mkdirSync(join(host.workspace, 'other'))
    for (const path of ['a.js', 'other/setup.js']) writeFileSync(join(host.workspace, path), 'run()')
    writeFileSync(join(host.workspace, 'package.json'), SETUP)
    expect(await host.check(name, args)).toMatchObject({ decision: 'ask' })
    expect(await host.check('write_file', { path: 'scripts/other.js', content: '' })).toMatchObject({
      decision: 'allow',
    })
  }
})

test('a folder grant over the workspace does not reach install scripts', async () => {
  const host = await openHost()
  writeFileSync(join(host.workspace, 'a.txt'), 'old')
  const grant = { approved: true, grant: { scope: 'folder' } } as const
  await host.call('write_file', { path: 'a.txt', content: 'new' }, { approver: { ask: async () => grant } })
  expect(await host.check('write_file', { path: 'a.txt', content: 'newer' })).toMatchObject({ decision: 'allow' })
  expect(await host.check('write_file', { path: 'package.json', content: SCRIPT })).toMatchObject({ decision: 'ask' })
})

test('in mode edit an ordinary change of package.json asks nothing', async () => {
  const host = await openHost({ mode: 'edit' })
  const edits = [{ old: '"test": "true"', new: '"test": "vitest"' }]
  expect(await host.call('edit_file', { path: 'package.json', edits })).toMatchObject({ ok: true })
})
