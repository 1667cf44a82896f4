import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Event, type Host, openHome } from '../../../src/index.ts'
import { toolFile, writeFiles } from '../../support/python-tools.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { folderHost } from '../../support/tool-folder.ts'

interface Language {
  readonly language: string
  /** A file with one tool that returns a value and takes one parameter. */
  readonly file: (name: string, value: number, parameter?: string) => string
  readonly ending: string
}

const PYTHON: Language = {
  language: 'Python',
  ending: 'py',
  file: (name, value, parameter = 'a') =>
    toolFile(`def ${name}(${parameter}=0): return ${value}`, {
      [name]: { parameters: schemaOf(parameter), effect: 'none' },
    }),
}

const TYPESCRIPT: Language = {
  language: 'TypeScript',
  ending: 'ts',
  file: (name, value, parameter = 'a') =>
    `export default { name: '${name}', description: 'It', effect: 'none', parameters: ${JSON.stringify(schemaOf(parameter))}, handler: () => ${value} }`,
}

function schemaOf(parameter: string) {
  return { type: 'object', properties: { [parameter]: { type: 'integer', description: 'A number' } } }
}

const changesIn = (host: Host) => {
  const found: Event[] = []
  host.on((event) => event.type === 'tools-changed' && found.push(event))
  return found
}

test.for([PYTHON, TYPESCRIPT])(
  'S0.4 a session whose $language code is no longer kept moves to the present tools of the same names, and an event says what changed',
  async ({ file, ending }) => {
    const { host, write, folder } = await folderHost({
      [`a.${ending}`]: file('changes', 0),
      [`b.${ending}`]: file('stays', 0),
      [`c.${ending}`]: file('goes', 0),
    })
    const events = changesIn(host)
    const old = await host.session({ tools: ['changes', 'stays', 'goes', 'read_file'] })
    for (const value of [1, 2]) {
      write(`a.${ending}`, file('changes', value))
      await host.refreshTools()
      expect(await old.call('changes')).toMatchObject({ data: 0 })
    }
    expect(events).toEqual([])
    const later = await host.session()
    rmSync(join(folder, `c.${ending}`))
    write(`a.${ending}`, file('changes', 3, 'b'))
    write(`d.${ending}`, file('comes', 0))
    await host.refreshTools()
    expect(events).toMatchObject([{ session: old.id, added: [], removed: ['goes'], changed: ['changes'] }])
    expect(old.snapshot.tools.map(({ tool }) => tool.name)).toEqual(
      expect.arrayContaining(['read_file', 'changes', 'stays']),
    )
    expect(old.snapshot.find('comes')).toBeUndefined()
    expect(await old.call('changes', { b: 1 })).toMatchObject({ data: 3 })
    expect(await old.call('changes', { a: 1 })).toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(await old.call('goes')).toMatchObject({ code: 'UNKNOWN_TOOL' })
    expect(await later.call('changes', { a: 1 })).toMatchObject({ data: 2 })
    expect(await later.call('goes')).toMatchObject({ data: 0 })
    expect(await old.events()).toContainEqual(expect.objectContaining({ type: 'tools-changed', removed: ['goes'] }))
  },
)

test('S0.4 a helper file that changes counts as a change of the tools beside it', async () => {
  const { host, write } = await folderHost({
    '_shared.py': 'VALUE = 0\n',
    'a.py': toolFile('import _shared\ndef shared(): return _shared.VALUE', { shared: {} }),
  })
  const events = changesIn(host)
  const session = await host.session()
  for (const value of [1, 2, 3]) {
    write('_shared.py', `VALUE = ${value}\n`)
    await host.refreshTools()
  }
  expect(events).toMatchObject([{ session: session.id, removed: [], changed: ['shared'] }])
  expect(await session.call('shared')).toMatchObject({ data: 3 })
})

test('S0.4 after a restart a session has the present tools, and an event says once which of its tools are gone', async () => {
  const home = temporaryFolder()
  const workspace = temporaryFolder()
  const tools = join(home, 'tools')
  writeFiles(tools, {
    'a.py': PYTHON.file('stays', 0),
    'b.py': PYTHON.file('goes', 0),
    'c.py': PYTHON.file('unused', 0),
  })
  const first = await openHome({ home })
  const host = await first.host(workspace)
  const picked = await host.session({ tools: ['stays', 'goes'] })
  const all = await host.session()
  await all.call('goes')
  await all.call('never_there')
  expect((await first.session(picked.id)).snapshot).toBe(picked.snapshot)
  await first.close()
  for (const file of ['b.py', 'c.py']) rmSync(join(tools, file))
  writeFiles(tools, { 'a.py': PYTHON.file('stays', 1) })
  for (const _ of ['second', 'third']) {
    const again = await openHome({ home })
    for (const { id } of [picked, all]) {
      const session = await again.session(id)
      expect(await session.call('stays')).toMatchObject({ data: 1 })
      const logged = (await session.events()).filter(({ type }) => type === 'tools-changed')
      expect(logged).toMatchObject([{ added: [], removed: ['goes'], changed: [] }])
    }
    await again.close()
  }
})

test('undoing is not taken for a tool that the session had: it is not told as gone when the session goes on', async () => {
  const [home, workspace] = [temporaryFolder(), temporaryFolder()]
  const approver = { name: 'test', ask: async () => ({ approved: true }) }
  const first = await openHome({ home, approver })
  const host = await first.host(workspace)
  const session = await host.session()
  await session.call('write_file', { path: 'a.txt', content: 'a' })
  expect(await host.undo(await host.undoable(), { session: session.id })).toMatchObject({ ok: true })
  await first.close()
  const second = await openHome({ home, approver })
  const events = await (await second.session(session.id)).events()
  expect(events.map(({ type }) => type)).not.toContain('tools-changed')
  expect(events).toContainEqual(expect.objectContaining({ type: 'call-start', name: 'undo' }))
  await second.close()
})
