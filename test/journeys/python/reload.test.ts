import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Result } from '../../../src/index.ts'
import { findProcesses } from '../../support/processes.ts'
import { pythonHost, toolFile, writeFiles } from '../../support/python-tools.ts'
import { eventual } from '../../support/tool-folder.ts'

/** A file whose tool says which version it is of. */
const version = (value: unknown, name = 'version') =>
  toolFile(
    `import os, time\nVALUE = ${JSON.stringify(value)}\ndef ${name}(seconds=0):\n    time.sleep(seconds)\n    return [VALUE, os.getpid()]`,
    {
      [name]: {},
    },
  )

const versionOf = (result: Result) => (result.ok && Array.isArray(result.data) ? result.data[0] : result)
const processOf = (result: Result) => (result.ok && Array.isArray(result.data) ? result.data[1] : result)

/** True while there is a process of that number. */
function isAlive(pid: unknown): boolean {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

test("S0.1 S0.4 the document's own file appears in a running host, changes, survives a mistake with a visible reason, and goes", async () => {
  const weather = readFileSync(join(import.meta.dirname, '../../data/python/weather_tools.py'), 'utf8')
  const { host, tools } = await pythonHost({})
  const path = join(tools, 'weather_tools.py')
  const ask = async () => {
    const result = await host.call('weather_tools:get_weather_info', { location: 'Oslo' })
    return result.ok ? result.text : result.code
  }
  expect(await ask()).toBe('UNKNOWN_TOOL')
  writeFiles(tools, { 'weather_tools.py': weather })
  await eventual(ask).toContain('cloudy')
  writeFiles(tools, { 'weather_tools.py': weather.replace('cloudy', 'sunny') })
  await eventual(ask).toContain('sunny')
  writeFiles(tools, { 'weather_tools.py': `${weather}\ndef broken(:\n` })
  const reason = expect.stringMatching(/SyntaxError.*Its last version that worked stays in use\.$/)
  await eventual(() => host.registry.snapshot().skipped).toEqual([{ source: path, line: expect.any(Number), reason }])
  expect(await ask()).toContain('sunny')
  rmSync(path)
  await eventual(ask).toBe('UNKNOWN_TOOL')
  expect(host.registry.snapshot().skipped).toEqual([])
})

test('S0.4 a refresh picks up new, changed and deleted files; a call under way ends on the old code', async () => {
  const { host, tools } = await pythonHost({ 'a.py': version('old') })
  const running = host.call('version', { seconds: 1 })
  writeFiles(tools, { 'a.py': version('new'), 'b.py': version('b', 'added') })
  await host.refreshTools()
  expect(versionOf(await host.call('version'))).toBe('new')
  expect(versionOf(await host.call('added'))).toBe('b')
  expect(versionOf(await running)).toBe('old')
  rmSync(join(tools, 'a.py'))
  await host.refreshTools()
  expect(await host.call('version')).toMatchObject({ code: 'UNKNOWN_TOOL' })
  rmSync(tools, { recursive: true })
  await host.refreshTools()
  expect(await host.call('added')).toMatchObject({ code: 'UNKNOWN_TOOL' })
  writeFiles(tools, { 'c.py': version('again') })
  await host.refreshTools()
  expect(versionOf(await host.call('version'))).toBe('again')
})

test('S0.4 sessions keep the code they began with for two reloads, and then move to the present one by name', async () => {
  const { host, tools } = await pythonHost({ 'a.py': version(0), 'b.py': version('b', 'gone') })
  const first = await host.session()
  const began = await first.call('version')
  for (const value of [1, 2]) {
    writeFiles(tools, { 'a.py': version(value) })
    await host.refreshTools()
    expect(versionOf(await host.call('version'))).toBe(value)
    expect(await first.call('version')).toEqual(began)
  }
  const second = await host.session()
  rmSync(join(tools, 'b.py'))
  writeFiles(tools, { 'a.py': version(3) })
  await host.refreshTools()
  expect(versionOf(await first.call('version'))).toBe(3)
  expect(versionOf(await second.call('version'))).toBe(2)
  expect(await first.call('gone')).toMatchObject({ code: 'UNKNOWN_TOOL' })
  expect(versionOf(await second.call('gone'))).toBe('b')
  await expect.poll(() => isAlive(processOf(began))).toBe(false)
})

test('S0.4 an old process with running calls lives until they end', async () => {
  const { host, tools } = await pythonHost({ 'a.py': version(0) })
  const running = host.call('version', { seconds: 3 })
  for (const value of [1, 2, 3, 4]) {
    writeFiles(tools, { 'a.py': version(value) })
    await host.refreshTools()
  }
  expect(versionOf(await host.call('version'))).toBe(4)
  expect(versionOf(await running)).toBe(0)
})

test('a file that can no longer be imported keeps its last good version, and a reason says so', async () => {
  const { host, tools } = await pythonHost({ 'a.py': version('good'), 'b.py': version(0, 'other') })
  for (const value of [1, 2, 3, 4]) {
    writeFiles(tools, { 'a.py': 'def broken(:\n', 'b.py': version(value, 'other') })
    await host.refreshTools()
    expect(versionOf(await host.call('version'))).toBe('good')
    expect(versionOf(await host.call('other'))).toBe(value)
    expect(host.registry.snapshot().skipped).toEqual([
      {
        source: join(tools, 'a.py'),
        line: 1,
        reason: expect.stringMatching(/SyntaxError.*Its last version that worked stays in use\.$/s),
      },
    ])
  }
  writeFiles(tools, { 'a.py': version('repaired') })
  await host.refreshTools()
  expect(versionOf(await host.call('version'))).toBe('repaired')
  expect(host.registry.snapshot().skipped).toEqual([])
})

test('S0.4 the last good version of a broken file, and the code of an older session, survive a crash of their process', async () => {
  const crashing = (value: string) => ({
    '_shared.py': `VALUE = ${JSON.stringify(value)}\n`,
    'a.py': toolFile(`import _shared, os\ndef leave(): os._exit(3)\ndef version(): return [_shared.VALUE]`, {
      leave: {},
      version: {},
    }),
  })
  const { host, tools } = await pythonHost(crashing('good'))
  const crashed = { ok: false, text: expect.stringContaining('exit code 3') }
  writeFiles(tools, { '_shared.py': 'VALUE = "other"\n', 'a.py': 'def broken(:\n' })
  await host.refreshTools()
  expect(await host.call('leave')).toMatchObject(crashed)
  expect(versionOf(await host.call('version'))).toBe('good')
  rmSync(join(tools, '_shared.py'))
  writeFiles(tools, { 'b.py': version('b', 'other') })
  await host.refreshTools()
  expect(await host.call('leave')).toMatchObject(crashed)
  expect(versionOf(await host.call('version'))).toBe('good')
  const session = await host.session()
  writeFiles(tools, crashing('new'))
  await host.refreshTools()
  expect(versionOf(await host.call('version'))).toBe('new')
  expect(await session.call('leave')).toMatchObject(crashed)
  expect(versionOf(await session.call('version'))).toBe('good')
})

test('every call made while files change gets a result of one consistent version', async () => {
  const pair = (value: number) => ({
    '_shared.py': `VALUE = ${value}\n`,
    'a.py': toolFile(`import _shared\nHERE = ${value}\ndef pair(): return [HERE, _shared.VALUE]`, { pair: {} }),
  })
  const { host, tools } = await pythonHost(pair(0))
  let changes = 0
  let calls = 0
  const isDone = () => changes === 12 && calls >= 500
  const caller = async () => {
    while (!isDone()) {
      const result = await host.call('pair')
      expect(result).toMatchObject({ ok: true })
      if (result.ok) expect(new Set(result.data as number[]).size).toBe(1)
      calls++
    }
  }
  const editor = async () => {
    for (let value = 1; value <= 12; value++) {
      writeFiles(tools, pair(value))
      await host.refreshTools()
      changes++
    }
  }
  await Promise.all([...Array.from({ length: 64 }, caller), editor()])
  expect(await host.call('pair')).toMatchObject({ data: [12, 12] })
})

test('no process is left when the host is closed, not even the one that waits for the next change', async () => {
  const { host, tools, home } = await pythonHost({ 'a.py': version(0) })
  const processes = () => findProcesses(`host.py own-group ${home}`).length
  for (const value of [1, 2]) {
    writeFiles(tools, { 'a.py': version(value) })
    await eventual(async () => versionOf(await host.call('version'))).toBe(value)
  }
  await eventual(processes).toBe(4)
  await host.close()
  await eventual(processes).toBe(0)
})
