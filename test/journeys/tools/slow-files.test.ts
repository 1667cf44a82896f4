import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHome } from '../../../src/app/home.ts'
import { describeFileProblem } from '../../../src/core/tool/describe-file-problem.ts'
import type { Event } from '../../../src/index.ts'
import { pythonHost, toolFile } from '../../support/python-tools.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { eventual, folderHost } from '../../support/tool-folder.ts'

const py = (name: string, code = '') => toolFile(`${code}\ndef ${name}(): return "${name}"`, { [name]: {} })
const ts = (name: string, code = '') =>
  `${code}\nexport default { name: '${name}', description: 'It', parameters: { type: 'object' }, handler: () => '${name}' }`

/** Code that waits until a file is there. */
const untilPy = (path: string) => `import os, time\nwhile not os.path.exists(${JSON.stringify(path)}): time.sleep(0.02)`
const untilTs = (path: string) =>
  `import { existsSync } from 'node:fs'\nwhile (!existsSync(${JSON.stringify(path)})) await new Promise((go) => setTimeout(go, 20))`

test.for([
  ['Python', 'py', py, untilPy],
  ['TypeScript', 'ts', ts, untilTs],
] as const)(
  'S0.2 a slow %s file delays neither built-in calls nor the tools of other files, is named as loading, and joins a session when it is there',
  async ([, ending, file, until]) => {
    const gate = join(temporaryFolder(), 'go')
    const { host } = await folderHost(
      { [`a_slow.${ending}`]: file('slow', until(gate)), [`b.${ending}`]: file('quick') },
      { toolFolders: 'later' },
    )
    const heard: Event[] = []
    host.on((event) => heard.push(event))
    expect(await host.call('list_directory', { path: '.' })).toMatchObject({ ok: true })
    expect(await host.call('quick')).toMatchObject({ ok: true, data: 'quick' })
    const loading = host.registry.snapshot().skipped.filter(({ loadingSince }) => loadingSince !== undefined)
    expect(loading.map((one) => describeFileProblem(one))).toEqual([
      expect.stringMatching(/^a_slow\.\w+ has been loading for \d+ s; its tools are not there yet$/),
    ])
    const session = await host.session()
    const waiting = session.call('slow')
    writeFileSync(gate, '')
    expect(await waiting).toMatchObject({ ok: true, data: 'slow' })
    expect(heard.filter(({ type }) => type === 'tools-changed')).toMatchObject([
      { session: session.id, added: ['slow'], removed: [], changed: [] },
    ])
    expect(await host.call('quick')).toMatchObject({ data: 'quick' })
  },
)

test('a slow file is not imported again when another file changes', async () => {
  const folder = temporaryFolder()
  const [gate, log] = [join(folder, 'go'), join(folder, 'log')]
  const note = `open(${JSON.stringify(log)}, "a").write("x")\n`
  const { host, tools } = await pythonHost({ 'a.py': py('slow', note + untilPy(gate)), 'b.py': py('one') })
  writeFileSync(join(tools, 'b.py'), py('two'))
  await eventual(() => host.registry.get('two')?.name).toBe('two')
  writeFileSync(gate, '')
  expect(await host.call('slow')).toMatchObject({ ok: true })
  writeFileSync(join(tools, 'b.py'), py('three'))
  await eventual(() => host.registry.get('three')?.name).toBe('three')
  expect(await host.call('slow')).toMatchObject({ ok: true })
  expect(readFileSync(log, 'utf8')).toBe('x')
})

test('a session that is opened again while a file loads keeps the tools of that file, and undo works meanwhile', async () => {
  const [home, workspace] = [temporaryFolder(), temporaryFolder()]
  const gate = join(temporaryFolder(), 'go')
  mkdirSync(join(home, 'tools'))
  writeFileSync(join(home, 'tools/a.py'), py('slow', untilPy(gate)))
  writeFileSync(gate, '')
  const before = await openHome({ home })
  const { id } = await (await before.host(workspace)).session({ tools: ['slow'] })
  await before.close()
  rmSync(gate)
  const again = await openHome({ home, toolFolders: 'later' })
  onTestFinished(() => again.close())
  const host = await again.host(workspace)
  const session = await host.session()
  const { result, id: call } = session.start('write_file', { path: 'a.txt', content: 'a' }, { decision: 'allow' })
  expect(await result).toMatchObject({ ok: true })
  const undone = host.undo([call], { session: session.id, decision: 'allow' })
  const opening = again.session(id)
  await new Promise((resolve) => setImmediate(resolve))
  writeFileSync(gate, '')
  expect(await (await opening).call('slow')).toMatchObject({ ok: true, data: 'slow' })
  expect(await undone).toMatchObject({ ok: true })
})

test('a rule of an own file counts for the first call, however early that is made', async () => {
  const { host } = await pythonHost(
    { 'rules.py': 'from core.rules import SafetyRule\nSafetyRule(name="no_curl", forbidden_patterns=["curl"])\n' },
    { toolFolders: 'later' },
  )
  expect(await host.call('shell', { command: 'curl x' })).toMatchObject({ ok: false, code: 'BLOCKED' })
})

test('a new file takes no name from a running tool, also across languages; at a fresh start the first file by name has it', async () => {
  const newcomer = toolFile('def count(): return "newcomer"', { count: {} })
  const { host, write } = await folderHost({ 'words.py': py('count') })
  const reasons = () => host.registry.snapshot().skipped.map(({ reason }) => reason)
  write('bad.py', newcomer)
  await eventual(reasons).toEqual([expect.stringContaining('the name "count" is taken by a tool from')])
  expect(await host.call('count')).toMatchObject({ data: 'count' })
  write('a.ts', ts('count'))
  await eventual(() => reasons().length).toBe(2)
  expect(await host.call('count')).toMatchObject({ data: 'count' })
  const { host: fresh } = await pythonHost({ 'bad.py': newcomer, 'words.py': py('count') })
  expect(await fresh.call('count')).toMatchObject({ data: 'newcomer' })
})

test('each broken and slow tool file is announced once, with file, line and reason', async () => {
  const gate = join(temporaryFolder(), 'go')
  const { host, write } = await folderHost({ 'slow.py': py('slow', untilPy(gate)), 'words.py': 'a = 1\ndef f(:\n' })
  const heard: string[] = []
  host.onFileProblem((problem) => heard.push(describeFileProblem(problem)))
  await eventual(() => heard.toSorted()).toEqual([
    expect.stringMatching(/^slow\.py has been loading for \d+ s/),
    expect.stringMatching(/^words\.py could not be loaded: line 2: SyntaxError: /),
  ])
  write('later.ts', 'const = 1')
  await eventual(() => heard.at(-1)).toMatch(/^later\.ts could not be loaded: line 1: /)
  expect(heard).toHaveLength(3)
  writeFileSync(gate, '')
  await eventual(() => host.registry.get('slow')?.name).toBe('slow')
})
