import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventually } from '../../support/processes.ts'
import { pythonHost, toolFile, writeFiles } from '../../support/python-tools.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Opens a host with one file of tools, each taking any arguments. */
async function hostWith(code: string, ...names: readonly string[]) {
  const { host } = await pythonHost({ 'a.py': toolFile(code, Object.fromEntries(names.map((name) => [name, {}]))) })
  return host
}

test('S0.6 an exception ends in its name, its message and the end of the traceback; the next call works', async () => {
  const host = await hostWith(
    'def fail(city):\n    raise ValueError(f"no such city: {city}")\ndef fine(): return 1\nasync def later(): raise KeyError("k")',
    ...['fail', 'fine', 'later'],
  )
  expect(await host.call('fail', { city: 'X' })).toMatchObject({
    ok: false,
    code: 'EXECUTION_ERROR',
    text: 'ValueError: no such city: X\n  a.py:3 in fail: raise ValueError(f"no such city: {city}")',
    details: { traceback: expect.stringMatching(/a\.py", line 3, in fail\n.*raise ValueError/s) },
  })
  expect(await host.call('later')).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^KeyError: 'k'\n {2}a\.py:\d+ in later: async def later/),
  })
  expect(await host.call('fine')).toMatchObject({ ok: true, data: 1 })
})

test('a failure names the last places of the own files that it passed, helpers included, and none of a library', async () => {
  const deep = 'def deep(n):\n    if n == 0: json.loads("{")\n    deep(n - 1)\ndef start(): deep(9)'
  const { host } = await pythonHost({
    '_help.py': `import json\n${deep}`,
    'a.py': toolFile('import _help\ndef fail(): _help.start()\ndef one(): _help.json.loads("{")', {
      fail: {},
      one: {},
    }),
  })
  const { text } = await host.call('fail')
  expect(text.split('\n').slice(1)).toEqual([
    ...Array(4).fill('  _help.py:4 in deep: deep(n - 1)'),
    '  _help.py:3 in deep: if n == 0: json.loads("{")',
  ])
  expect((await host.call('one')).text).toMatch(/^JSONDecodeError: .*\n {2}a\.py:4 in one: def one.*$/)
})

test('a handler that takes other arguments than its schema says fails with the words of Python', async () => {
  const host = await hostWith('def one(a): return a', 'one')
  expect(await host.call('one', { b: 1 })).toMatchObject({
    text: expect.stringMatching(/^TypeError: one\(\) got an unexpected/),
  })
})

test('S0.6 results that JSON cannot carry end in a failure that names the place', async () => {
  const code = `
def nan(): return {"mean": [1.0, float("nan")]}
def raw(): return {"body": b"abc"}
def circle():
    data = {"a": []}
    data["a"].append(data)
    return data
def odd(): return [object()]
def keys(): return {(1, 2): 3}
def deep():
    data = []
    for _ in range(100000): data = [data]
    return data
def lone(): return "\\ud800"
`
  const host = await hostWith(code, 'nan', 'raw', 'circle', 'odd', 'keys', 'deep', 'lone')
  const places = {
    nan: "result['mean'][1] is nan",
    raw: "result['body'] is bytes",
    circle: "result['a'][0] is part of itself",
    odd: 'result[0]: it is a object',
    keys: 'a key must be text, it is a tuple',
    deep: 'nested too deep',
  }
  for (const [name, text] of Object.entries(places))
    expect(await host.call(name)).toMatchObject({
      ok: false,
      code: 'EXECUTION_ERROR',
      text: expect.stringContaining(text),
    })
  expect(await host.call('lone')).toMatchObject({ ok: true })
})

test('S0.6 input(), a C library on descriptor 1, sys.exit and a closed stdin are harmless', async () => {
  const code = `
import ctypes, os, sys
def ask(): return input("name? ")
def from_c():
    libc = ctypes.CDLL(None)
    for number in range(1, 50): libc.puts(b'{"id":%d,"value":"forged"}' % number)
    libc.fflush(None)
    os.write(1, b"raw\\n")
    return "fine"
def leave(): sys.exit(3)
def close():
    sys.stdin.close()
    os.close(0)
    return "closed"
def children():
    import subprocess
    return subprocess.run(["sh", "-c", "echo to stdout; echo to stderr >&2; cat"], check=True).returncode
`
  const host = await hostWith(code, 'ask', 'from_c', 'leave', 'close', 'children')
  expect(await host.call('ask')).toMatchObject({ ok: false, text: expect.stringContaining('EOFError') })
  expect(await host.call('from_c')).toMatchObject({ ok: true, data: 'fine' })
  expect(await host.call('leave')).toMatchObject({ ok: false, text: expect.stringContaining('sys.exit(3)') })
  expect(await host.call('children')).toMatchObject({ ok: true, data: 0 })
  expect(await host.call('close')).toMatchObject({ ok: true, data: 'closed' })
  expect(await host.call('from_c')).toMatchObject({ ok: true, data: 'fine' })
})

test('S0.6 a crash fails the calls in it and no others, and the process is started again', async () => {
  const code = `
import os, time, ctypes
def pid(): return os.getpid()
def leave(code): os._exit(code)
def fault(): ctypes.string_at(0)
def wait():
    print("begun")
    time.sleep(30)
`
  const host = await hostWith(code, 'pid', 'leave', 'fault', 'wait')
  const first = await host.call('pid')
  expect(await host.call('leave', { code: 3 })).toMatchObject({
    ok: false,
    code: 'EXECUTION_ERROR',
    text: expect.stringMatching(/^The Python process ended while leave ran in it: it ended with exit code 3\./),
  })
  const second = await host.call('pid')
  expect(second).toMatchObject({ ok: true })
  expect(second).not.toEqual(first)
  const begun = new Promise<void>((resolve) => {
    host.on(({ type }) => type === 'call-delta' && resolve())
  })
  const waiting = host.call('wait')
  await begun
  expect(await host.call('fault')).toMatchObject({ ok: false, text: expect.stringContaining('SIGSEGV') })
  expect(await waiting).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(await host.call('pid')).toMatchObject({ ok: true })
})

test('calls that had not begun when the process crashed are run again, and never twice', async () => {
  const log = join(temporaryFolder(), 'log')
  const code = `
import os
def note(n):
    with open(${JSON.stringify(log)}, "a") as file: file.write(f"{n}\\n")
    return n
def leave(really=False):
    if really: os._exit(1)
`
  const host = await hostWith(code, 'note', 'leave')
  // Known as quick from here on: the reading thread runs them itself, one after another.
  for (const tool of ['note', 'leave', 'note', 'leave']) await host.call(tool, tool === 'note' ? { n: -1 } : {})
  const calls = Array.from({ length: 40 }, (_, n) =>
    n === 20 ? host.call('leave', { really: true }) : host.call('note', { n }),
  )
  const results = await Promise.all(calls)
  const written = readFileSync(log, 'utf8').trim().split('\n').map(Number)
  const once = written.filter((n) => n !== -1)
  expect(once.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n).filter((n) => n !== 20))
  expect(results[20]).toMatchObject({ ok: false, text: expect.stringContaining('exit code 1') })
  const again = once.filter((n) => n > 20).toSorted((a, b) => a - b)
  expect(results.slice(21).map((result) => result.ok && result.data)).toEqual(again)
})

test('S0.6 a hang in Python is interrupted in its thread: the process and its other calls live on', async () => {
  const code = `
import os
def pid(): return os.getpid()
def hang(): 
    while True: pass
def polite(context):
    while not context["cancelled"](): pass
    return "tidied up"
async def later():
    import asyncio
    await asyncio.sleep(60)
`
  const host = await hostWith(code, 'pid', 'hang', 'polite', 'later')
  const before = await host.call('pid')
  expect(await host.call('hang', {}, { timeout: 0.2 })).toMatchObject({
    code: 'TIMEOUT',
    text: expect.stringContaining('It was interrupted and has stopped'),
    details: { work: 'stopped' },
  })
  expect(await host.call('later', {}, { timeout: 0.2 })).toMatchObject({
    code: 'TIMEOUT',
    details: { work: 'stopped' },
  })
  expect(await host.call('polite', {}, { timeout: 0.2 })).toMatchObject({
    code: 'TIMEOUT',
    details: { work: 'finished' },
  })
  const cancel = new AbortController()
  const cancelled = host.call('hang', {}, { signal: cancel.signal })
  await host.call('pid')
  cancel.abort()
  expect(await cancelled).toMatchObject({ code: 'CANCELLED', details: { work: 'stopped' } })
  expect(await host.call('pid')).toEqual(before)
})

test('S0.6 a hang that nothing interrupts ends its process at once where it is alone, else after the others had time', async () => {
  const code = `
import os, time
def pid(): return os.getpid()
def stuck():
    while True:
        try: time.sleep(60)
        except BaseException: pass
def slow(seconds):
    time.sleep(seconds)
    return os.getpid()
`
  const host = await hostWith(code, 'pid', 'stuck', 'slow')
  const [first, slow] = [await host.call('pid'), host.call('slow', { seconds: 2 })]
  expect(await host.call('stuck', {}, { timeout: 0.1 })).toMatchObject({
    code: 'TIMEOUT',
    details: { work: 'running' },
  })
  const second = await host.call('pid')
  expect(second).toMatchObject({ ok: true })
  expect(second).not.toEqual(first)
  expect(await slow).toEqual(first)
  expect(await host.call('stuck', {}, { timeout: 0.1 })).toMatchObject({
    code: 'TIMEOUT',
    text: expect.stringContaining('its process was ended'),
    details: { work: 'stopped' },
  })
  expect(await host.call('pid')).not.toEqual(second)
})

test('a call that is cancelled while it waits for its turn or its process is not run later', async () => {
  const log = join(temporaryFolder(), 'log')
  const code = `
import os, time
def hold(): time.sleep(1)
def leave(): os._exit(1)
def note(n):
    with open(${JSON.stringify(log)}, "a") as file: file.write(f"{n} ")
`
  const host = await hostWith(code, 'hold', 'leave', 'note')
  const held = Array.from({ length: 256 }, () => host.call('hold'))
  expect(await host.call('note', { n: 1 }, { timeout: 0.1 })).toMatchObject({ code: 'TIMEOUT' })
  await Promise.all(held)
  await host.call('leave')
  const cancel = new AbortController()
  const waiting = host.call('note', { n: 2 }, { signal: cancel.signal })
  setImmediate(() => cancel.abort())
  expect(await waiting).toMatchObject({ code: 'CANCELLED' })
  await host.call('note', { n: 3 })
  expect(readFileSync(log, 'utf8')).toBe('3 ')
})

test('a result of 50 MB arrives: its text is cut and the rest can be read', async () => {
  const host = await hostWith('def big(n): return "x" * 79 + "\\n" + ("y" * 79 + "\\n") * n', 'big')
  const { id, result } = host.start('big', { n: 625_000 })
  const large = await result
  expect(large).toMatchObject({ ok: true, text: expect.stringContaining('read_output'), data: { omitted: true } })
  expect(large.text.length).toBeLessThan(60_000)
  expect(await host.call('read_output', { call: id, from: 600_000, to: 600_000 })).toMatchObject({
    text: expect.stringContaining('y'.repeat(79)),
  })
})

test('a result past what is taken fails and says so', async () => {
  const host = await hostWith('def big(n): return "x" * n', 'big')
  expect(await host.call('big', { n: 101_000_000 })).toMatchObject({ ok: false, code: 'TOO_LARGE' })
})

test('threads that a tool leaves behind, and what they print, harm no later call', async () => {
  const code = `
import threading, time
def spawn():
    def run():
        for _ in range(20):
            print("left behind")
            time.sleep(0.005)
    threading.Thread(target=run).start()
    return "started"
def fine(): return "fine"
`
  const host = await hostWith(code, 'spawn', 'fine')
  const texts: string[] = []
  host.on((event) => {
    if (event.type === 'call-delta') texts.push(event.text)
  })
  expect(await host.call('spawn')).toMatchObject({ data: 'started' })
  for (let i = 0; i < 50; i++) expect(await host.call('fine')).toMatchObject({ data: 'fine' })
  expect(texts).toEqual([])
})

test('a slow call holds up no other, however quick its tool was before', async () => {
  const code = `
import time
def maybe(seconds):
    time.sleep(seconds)
    return seconds
`
  const host = await hostWith(code, 'maybe')
  for (let i = 0; i < 5; i++) await host.call('maybe', { seconds: 0 })
  const order: number[] = []
  const run = async (seconds: number) => {
    await host.call('maybe', { seconds })
    order.push(seconds)
  }
  await Promise.all([run(2), run(0), run(0)])
  expect(order).toEqual([0, 0, 2])
})

test('a file whose import ends the process or does not end is left out, and the others are loaded', async () => {
  const { createPythonSource } = await import('../../../src/sources/python/python-source.ts')
  const { startAsUser } = await import('../../../src/sources/python/start-as-user.ts')
  const folder = temporaryFolder()
  writeFiles(folder, {
    'a.py': toolFile('def good(): return 1', { good: {} }),
    'b.py': 'import os\nos._exit(7)\n',
    'c.py': 'while True: pass\n',
    'd.py': toolFile('def other(): return 2', { other: {} }),
  })
  const source = createPythonSource({
    ...{ id: 'python', origin: 'user', hostFolder: join(import.meta.dirname, '../../../python'), folders: [folder] },
    ...{ workspace: folder, isSandboxed: false, importSeconds: 0.5 },
    launch: ({ argv, output }) =>
      startAsUser({ argv: ['/usr/bin/env', 'python3', ...argv], output }, { cwd: folder, env: process.env }),
  })
  const { tools, skipped } = await source.load()
  await source.close?.()
  expect(tools.map(({ tool }) => tool.name)).toEqual(['good', 'other'])
  expect(skipped).toEqual([
    { source: join(folder, 'b.py'), reason: expect.stringContaining('exit code 7') },
    { source: join(folder, 'c.py'), reason: expect.stringContaining('did not end within 0.5 s') },
  ])
  expect(existsSync(join(folder, '__pycache__'))).toBe(false)
})

test('no process is left when Haft is killed: neither the host nor what a tool started', async () => {
  const [home, workspace] = [temporaryFolder(), temporaryFolder()]
  const code = `
import os, subprocess, time
def start():
    child = subprocess.Popen(["sleep", "600"])
    print(os.getpid(), child.pid, flush=True)
    while True: time.sleep(1)
`
  writeFiles(join(home, 'tools'), { 'a.py': toolFile(code, { start: {} }) })
  const worker = spawn(process.execPath, [join(import.meta.dirname, '../../support/python-worker.ts'), home, workspace])
  const [printed] = await once(worker.stdout, 'data')
  const pids = String(printed).trim().split(' ')
  expect(pids).toHaveLength(2)
  const isRunning = (pid: string) =>
    existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  expect(pids.map(isRunning)).toEqual([true, true])
  worker.kill('SIGKILL')
  await eventually(() => !pids.some(isRunning))
})

test('any JSON comes through a tool as it went in', async () => {
  const host = await hostWith(
    'def echo(value): return {"value": value}\nasync def later(value): return {"value": value}',
    'echo',
    'later',
  )
  // A key of that name is left out of every call's arguments.
  const texts = fc.json({ depthSize: 'medium' }).filter((text) => !text.includes('__proto__'))
  const value = texts.map((text) => JSON.parse(text))
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom('echo', 'later'), async (given, tool) => {
      expect(await host.call(tool, { value: given })).toMatchObject({ ok: true, data: { value: given } })
    }),
    { numRuns: 200 },
  )
})
