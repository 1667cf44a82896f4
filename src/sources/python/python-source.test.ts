import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toolFile, writeFiles } from '../../../test/support/python-tools.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { RunningProgram } from '../../core/ports/sandbox.ts'
import { createPythonSource, type PythonSourceOptions } from './python-source.ts'
import { startAsUser } from './start-as-user.ts'

/** A source whose processes are counted, with a change that the test reports itself. `env` is read at each start. */
function countedSource(files: Readonly<Record<string, string>>, options: Partial<PythonSourceOptions> = {}) {
  const folder = temporaryFolder()
  writeFiles(folder, files)
  const started: RunningProgram[] = []
  const env: Record<string, string | undefined> = { ...process.env }
  let changed = () => {}
  const source = createPythonSource({
    ...{ id: 'python', origin: 'user', hostFolder: join(import.meta.dirname, '../../../python'), folders: [folder] },
    ...{ workspace: folder, isSandboxed: false, importSeconds: 30 },
    watch: (_, onChange) => {
      changed = onChange
      return { close: () => undefined }
    },
    launch({ argv, output }) {
      const program = startAsUser({ argv: ['/usr/bin/env', 'python3', ...argv], output }, { cwd: folder, env })
      started.push(program)
      return program
    },
    ...options,
  })
  source.onChange?.(() => undefined)
  onTestFinished(() => source.close?.())
  return {
    ...{ source, folder, started, env },
    async change(next: Readonly<Record<string, string>>) {
      writeFiles(folder, next)
      changed()
      const { tools, skipped } = await source.load()
      return { names: tools.map(({ tool }) => tool.name), reasons: skipped.map(({ reason }) => reason) }
    },
  }
}

const file = (name: string, code = '') => toolFile(`${code}\ndef ${name}(): return "${name}"`, { [name]: {} })

test('a load starts one process, and only after a change another waits for the next load', async () => {
  const { source, started, change } = countedSource({ 'a.py': file('one') })
  await source.load()
  await source.load({ force: true })
  expect(started).toHaveLength(2)
  expect(await change({ 'a.py': file('two') })).toEqual({ names: ['two'], reasons: [] })
  await expect.poll(() => started.length).toBe(4)
  expect(await change({ 'a.py': file('three') })).toEqual({ names: ['three'], reasons: [] })
  await expect.poll(() => started.length).toBe(5)
  await source.close?.()
  await Promise.all(started.map(({ ended }) => ended))
})

test('a waiting process that has died is not used', async () => {
  const { source, started, change } = countedSource({ 'a.py': file('one') })
  await source.load()
  await change({ 'a.py': file('two') })
  await expect.poll(() => started.length).toBe(3)
  started[2]?.end()
  await started[2]?.ended
  expect(await change({ 'a.py': file('three') })).toEqual({ names: ['three'], reasons: [] })
})

test('a package that was installed while a process waited is found', async () => {
  const { source, started, change, env } = countedSource({ 'a.py': file('one') })
  await source.load()
  await change({ 'a.py': file('two') })
  await expect.poll(() => started.length).toBe(3)
  env.PYTHONPATH = temporaryFolder()
  writeFiles(env.PYTHONPATH, { 'just_installed.py': '' })
  expect(await change({ 'a.py': file('three', 'import just_installed') })).toEqual({ names: ['three'], reasons: [] })
})

test('a file whose import ends its process or hangs is not tried again until it changes, or by force', async () => {
  const { source, started, change } = countedSource(
    { 'a.py': file('one'), 'b.py': 'import os\nos._exit(7)\n', 'c.py': 'while True: pass\n' },
    { importSeconds: 2, watch: undefined },
  )
  const wrong = [expect.stringContaining('exit code 7'), expect.stringContaining('did not end within 2 s')]
  // The file that hangs has a process of its own, which nobody waits for.
  await expect.poll(async () => (await source.load()).skipped.map(({ reason }) => reason)).toEqual(wrong)
  expect(started).toHaveLength(3)
  expect(await change({ 'a.py': file('two') })).toEqual({ names: ['two'], reasons: wrong })
  expect(started).toHaveLength(4)
  expect(await change({ 'b.py': file('b') })).toEqual({ names: ['two', 'b'], reasons: wrong.slice(1) })
  expect(started).toHaveLength(5)
  await source.load({ force: true })
  expect(started).toHaveLength(7)
})

test('bytes that are no UTF-8, a byte order mark and other line ends are read as Python reads them', async () => {
  const latin = Buffer.from('# coding: latin-1\nWORD = "é"\n', 'latin1')
  const { source, folder } = countedSource({})
  const { writeFileSync } = await import('node:fs')
  writeFileSync(join(folder, '_latin.py'), latin)
  const code = `import _latin\r\ndef word(): return [_latin.WORD, "ü\\n"]`
  writeFileSync(join(folder, 'a.py'), `\ufeff${toolFile(code, { word: {} })}`)
  const { tools, skipped } = await source.load()
  expect(skipped).toEqual([])
  const context = { signal: new AbortController().signal, delta: () => undefined }
  expect(await tools[0]?.tool.execute?.({}, Object.assign({ session: 's', call: 'c' }, context) as never)).toEqual([
    'é',
    'ü\n',
  ])
})
