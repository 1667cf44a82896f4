import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toCopilotResult } from '../../../src/index.ts'
import { pythonHost, toolFile, writeFiles } from '../../support/python-tools.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The first document's own file. */
const WEATHER = readFileSync(join(import.meta.dirname, '../../data/python/weather_tools.py'), 'utf8')

test("S0.1 the document's own file gives its tools, and they run", async () => {
  const { host, tools } = await pythonHost({
    'weather_tools.py': WEATHER,
    '_helper.py': 'raise Exception("not loaded")',
  })
  const found = host.registry.snapshot().find('weather_tools:get_temperatures')
  expect(found).toMatchObject({ origin: 'user', wireName: 'weather_tools_get_temperatures' })
  expect(found).toMatchObject({ source: join(tools, 'weather_tools.py'), line: 8 })
  expect(host.registry.snapshot().skipped).toEqual([])
  const text = await host.call('weather_tools:get_weather_info', { location: 'Oslo' })
  expect(text).toEqual({
    ok: true,
    text: 'The weather in Oslo is cloudy with a high of 15°C.',
    data: 'The weather in Oslo is cloudy with a high of 15°C.',
  })
  const table = await host.call('weather_tools_get_temperatures', '{"location":"Oslo"}')
  expect(table).toEqual({ ok: true, text: '{"min_c":9,"max_c":15}', data: { min_c: 9, max_c: 15 } })
  expect(toCopilotResult(table)).toEqual({ resultType: 'success', textResultForLlm: '{"min_c":9,"max_c":15}' })
})

test('S0.6 a wrong, a missing and an unknown argument end as TypeError, and nothing is run', async () => {
  const { host } = await pythonHost({ 'weather_tools.py': WEATHER })
  for (const given of [{}, { location: {} }, { location: 'Oslo', days: 3 }, '[1]', '{"location": "Os']) {
    const result = await host.call('weather_tools:get_weather_info', given)
    expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS', text: expect.stringMatching(/^TypeError: /) })
    expect(toCopilotResult(result)).toMatchObject({
      resultType: 'failure',
      textResultForLlm: expect.stringMatching(/^TypeError: /),
    })
  }
})

test('S0.2 a bad spec is skipped alone, with file, line and reason; a file that fails to import harms no other', async () => {
  const spec = (more: string) => `TOOL_SPECS = [\n  GOOD,\n  ${more},\n]`
  const good = (name: string) =>
    `def f(a=1):\n    return a\nP = {"type": "object", "properties": {}}\nGOOD = {"name": "${name}", "description": "Good.", "parameters": P, "handler": f}\n`
  const bad: Readonly<Record<string, readonly [string, RegExp]>> = {
    a_number: ['7', /TOOL_SPECS\[1\]: it is a int; expected a dict/],
    b_missing: ['{"name": "x", "description": "d", "handler": f}', /'parameters' is missing \(tool 'x'\)/],
    c_name: ['dict(GOOD, name="")', /'name' is ''/],
    d_description: ['dict(GOOD, name="x", description=None)', /'description' is None/],
    e_type: ['dict(GOOD, name="x", parameters={"type": "array"})', /"type": "object", it has 'array'/],
    f_schema: [
      'dict(GOOD, name="x", parameters={"type": "object", "properties": {"a": {"type": "strng"}}})',
      /has the type 'strng'/,
    ],
    g_handler: ['dict(GOOD, name="x", handler="f")', /'handler' is a str; expected a function/],
    h_effect: ['dict(GOOD, name="x", effect="destroy")', /'effect' is 'destroy'; expected one of none, read/],
    i_approval: ['dict(GOOD, name="x", approval="yes")', /'approval' is 'yes'; expected True or False/],
    j_touches: ['dict(GOOD, name="x", touches={"reads": ["path"]})', /names 'path', which is no parameter/],
    k_json: [
      'dict(GOOD, name="x", parameters={"type": "object", "default": {1, 2}, "x": b""})',
      /cannot be written as JSON/,
    ],
  }
  const files = Object.fromEntries(Object.entries(bad).map(([name, [text]]) => [`${name}.py`, good(name) + spec(text)]))
  const { host, tools } = await pythonHost({
    ...files,
    'm_syntax.py': 'x = 1\ndef f(:\n    pass\n',
    'n_import.py': 'import os\nimport no_such_module_here\n',
    '_helper.py': 'def help():\n    raise ValueError("boom")\n',
    'o_deep.py': 'import _helper\n\n_helper.help()\n',
    'p_exit.py': 'import sys\nsys.exit(3)\n',
    'q_none.py': 'x = 1\n',
    'r_list.py': '\nTOOL_SPECS = {"name": "x"}\n',
    's_nul.py': 'x = "\0"\n',
  })
  const { skipped, tools: offered } = host.registry.snapshot()
  expect(offered.filter(({ origin }) => origin === 'user').map(({ tool }) => tool.name)).toEqual(Object.keys(bad))
  for (const [name, [, reason]] of Object.entries(bad)) {
    const found = skipped.filter(({ source }) => source === join(tools, `${name}.py`))
    expect(found).toEqual([{ source: join(tools, `${name}.py`), line: 7, reason: expect.stringMatching(reason) }])
  }
  const reasonOf = (file: string) => skipped.find(({ source }) => source === join(tools, file))
  expect(reasonOf('m_syntax.py')).toMatchObject({ line: 2, reason: expect.stringContaining('SyntaxError') })
  expect(reasonOf('n_import.py')).toMatchObject({
    line: 2,
    reason: expect.stringContaining("No module named 'no_such_module_here'"),
  })
  expect(reasonOf('o_deep.py')).toMatchObject({
    line: 3,
    reason: expect.stringMatching(/ValueError: boom\n.*_helper.py", line 2, in help/s),
  })
  expect(reasonOf('p_exit.py')).toMatchObject({ line: 2, reason: expect.stringContaining('sys.exit(3)') })
  expect(reasonOf('q_none.py')).toMatchObject({ reason: expect.stringContaining('TOOL_SPECS') })
  expect(reasonOf('r_list.py')).toMatchObject({ line: 2, reason: expect.stringContaining('expected a list') })
  expect(reasonOf('s_nul.py')?.reason).toMatch(/null bytes|SyntaxError/)
  expect(await host.call('a_number', { a: 5 })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  expect(await host.call('k_json')).toMatchObject({ ok: true, data: 1 })
})

test('S0.3 the first keeps a name, over files, folders and built-in tools; the second is skipped with a reason', async () => {
  const file = (name: string, value: string) => toolFile(`def ${name}(): return "${value}"`, { [name]: {} })
  const more = temporaryFolder()
  writeFiles(more, { 'a.py': file('one', 'second folder'), 'b.py': file('three', 'third') })
  const home = temporaryFolder()
  writeFiles(home, { 'settings.toml': `tools_dirs = [${JSON.stringify(more)}]\n` })
  const { host, tools } = await pythonHost(
    { 'a.py': file('one', 'first'), 'b.py': file('one', 'late'), 'c.py': file('read_file', 'mine') },
    { home },
  )
  expect(await host.call('one')).toMatchObject({ data: 'first' })
  expect(await host.call('three')).toMatchObject({ data: 'third' })
  expect(host.registry.snapshot().find('read_file')?.origin).toBe('built-in')
  expect(host.registry.snapshot().skipped).toEqual([
    {
      source: join(tools, 'b.py'),
      line: 2,
      reason: `the name "one" is taken by a tool from ${join(tools, 'a.py')}:2`,
    },
    { source: join(more, 'a.py'), line: 2, reason: expect.stringContaining('"one" is taken') },
    { source: join(tools, 'c.py'), line: 2, reason: expect.stringContaining('"read_file" is taken') },
  ])
})

test('S0.5 handlers are def or async def, take defaults and a context, and return any JSON', async () => {
  const code = `
import asyncio
def plain(a, b=2): return [a, b]
async def later(a): await asyncio.sleep(0.01); return {"a": a}
def informed(a, context=None): return {key: (value if isinstance(value, str) else callable(value)) for key, value in context.items()}
class Adder:
    def __call__(self, a, context): return a + len(context)
callable_object = Adder()
def value(a): return {"text": "é\\u2028", "list": [1, 2.5, True, None], "none": None, "no": False, "big": 2**70, "set": {3}}[a]
`
  const { host } = await pythonHost({
    'a.py': toolFile(code, { plain: {}, later: {}, informed: {}, callable_object: {}, value: {} }),
  })
  const session = await host.session()
  expect(await session.call('plain', { a: 1 })).toMatchObject({ text: '[1,2]', data: [1, 2] })
  expect(await session.call('later', { a: 'x' })).toMatchObject({ text: '{"a":"x"}', data: { a: 'x' } })
  const started = session.start('informed', { a: 1 })
  expect(await started.result).toMatchObject({
    data: {
      session_id: session.id,
      workspace: host.workspace,
      call_id: started.id,
      tool: 'informed',
      log: true,
      progress: true,
      cancelled: true,
    },
  })
  expect(await session.call('callable_object', { a: 1 })).toMatchObject({ data: 8 })
  const values = { text: 'é\u2028', list: [1, 2.5, true, null], none: null, no: false, set: [3] }
  for (const [a, data] of Object.entries(values))
    expect(await session.call('value', { a })).toMatchObject({ ok: true, data })
  expect(await session.call('value', { a: 'big' })).toMatchObject({ text: '1180591620717411303424' })
})

test('a spec may say effect, approval, touches and timeout; a parameter without a description is a warning', async () => {
  const parameters = { type: 'object', properties: { path: { type: 'string' } } }
  const { host, tools } = await pythonHost({
    'a.py': toolFile(
      'def look(path=None): return path\ndef change(path): return path\ndef remove(path): return path\ndef slow():\n    while True: pass',
      {
        look: { parameters, effect: 'read', touches: { reads: ['path'] } },
        change: { parameters, effect: 'write', approval: true, touches: { writes: ['path'] } },
        remove: { parameters, effect: 'write', touches: { deletes: ['path'] } },
        slow: { timeout: 0.2 },
      },
    ),
  })
  expect(host.registry.snapshot().find('look')?.tool.effect).toBe('read')
  expect(host.registry.snapshot().find('slow')?.tool.effect).toBe('run')
  expect(await host.check('look', { path: 'a.txt' })).toMatchObject({ decision: 'allow', effects: ['reads a.txt'] })
  expect(await host.check('change', { path: 'a.txt' })).toMatchObject({ decision: 'ask', effects: ['writes a.txt'] })
  writeFiles(host.workspace, { 'a.txt': '' })
  expect(await host.check('remove', { path: 'a.txt' })).toMatchObject({ decision: 'ask', effects: ['deletes a.txt'] })
  expect(await host.call('look', { path: '.ssh/id_rsa' })).toMatchObject({ ok: false, code: 'BLOCKED' })
  expect(await host.call('look', { path: '/etc/shadow' })).toMatchObject({ ok: false })
  expect(await host.call('slow')).toMatchObject({ code: 'TIMEOUT', details: { seconds: 0.2, work: 'stopped' } })
  expect(host.registry.snapshot().skipped).toEqual([
    {
      source: join(tools, 'a.py'),
      line: 2,
      reason: expect.stringMatching(/^the tool "look" is offered.*"path"/),
      isWarning: true,
    },
    {
      source: join(tools, 'a.py'),
      line: 3,
      reason: expect.stringMatching(/^the tool "change"/),
      isWarning: true,
    },
    {
      source: join(tools, 'a.py'),
      line: 4,
      reason: expect.stringMatching(/^the tool "remove"/),
      isWarning: true,
    },
  ])
})

test('byte code is kept under the home and never beside the tools; a file that keeps its time and size is read anew', async () => {
  const code = (value: number) =>
    toolFile(`import _helper\ndef value(): return [${value}, _helper.VALUE]`, { value: {} })
  const { host, home, tools } = await pythonHost({ 'a.py': code(1), '_helper.py': 'VALUE = 1\n' })
  expect(await host.call('value')).toMatchObject({ data: [1, 1] })
  expect(readdirSync(tools).toSorted()).toEqual(['_helper.py', 'a.py'])
  const kept = readdirSync(join(home, 'cache/python', tools)).toSorted()
  expect(kept).toEqual([expect.stringMatching(/^_helper\.py\.cpython/), expect.stringMatching(/^a\.py\.cpython/)])
  const { atime, mtime } = statSync(join(tools, 'a.py'))
  writeFiles(tools, { 'a.py': code(2) })
  utimesSync(join(tools, 'a.py'), atime, mtime)
  await host.refreshTools()
  expect(await host.call('value')).toMatchObject({ data: [2, 1] })
  writeFileSync(join(home, 'cache/python', tools, kept[1] ?? ''), 'no byte code')
  await host.refreshTools()
  expect(await host.call('value')).toMatchObject({ data: [2, 1] })
})

test('the virtual environment that settings name runs the tools, with its packages', async () => {
  const [home, venv] = [temporaryFolder(), join(temporaryFolder(), 'venv')]
  execFileSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', venv])
  const [library = ''] = readdirSync(join(venv, 'lib'))
  writeFiles(join(venv, 'lib', library, 'site-packages'), { 'only_here.py': 'WORD = "found"\n' })
  writeFiles(home, { 'settings.toml': `python = ${JSON.stringify(venv)}\n` })
  const code = 'import only_here, sys\ndef where(): return [only_here.WORD, sys.prefix]'
  const { host } = await pythonHost({ 'a.py': toolFile(code, { where: {} }) }, { home })
  expect(await host.call('where')).toMatchObject({ data: ['found', venv] })
})

test('a tool file that has the name of a library does not take its place, and files import one another by name', async () => {
  const { host } = await pythonHost({
    'csv.py': toolFile('def mine(): return __name__', { mine: {} }),
    'other.py': toolFile('WORD = "other"\ndef other(): return WORD', { other: {} }),
    'z.py': toolFile('import csv, other\ndef rows(): return [list(csv.reader(["a,b"])), other.WORD]', { rows: {} }),
  })
  expect(await host.call('rows')).toMatchObject({ data: [[['a', 'b']], 'other'] })
  expect(await host.call('mine')).toMatchObject({ data: expect.stringMatching(/^haft_tools\.csv_/) })
})

test.for(['fork', 'spawn', 'forkserver'])('a tool may use processes of its own, started by %s', async (method) => {
  const code = `
import multiprocessing
def square(n): return n * n
def squares(method):
    with multiprocessing.get_context(method).Pool(2) as pool: return pool.map(square, [2, 3])
`
  const { host } = await pythonHost({ 'a.py': toolFile(code, { squares: {} }) })
  expect(await host.call('squares', { method })).toMatchObject({ ok: true, data: [4, 9] })
  expect(await host.call('squares', { method })).toMatchObject({ ok: true, data: [4, 9] })
})

test('yields, log, progress and print are streamed while the tool runs', async () => {
  const code = `
def gen(n):
    for i in range(n):
        yield f"line {i}\\n"
    return {"lines": n}
async def agen():
    yield "a"
    yield {"b": 1}
def talk(context):
    context["log"]("logged")
    context["progress"](1, 4, "quarter")
    context["progress"]("half")
    print("printed", end="")
    import sys, logging
    sys.stderr.write("error stream\\n")
    logging.warning("careful")
    sys.stdout.buffer.write("bytes é".encode())
    return "done"
`
  const { host } = await pythonHost({ 'a.py': toolFile(code, { gen: {}, agen: {}, talk: {} }) })
  const streamed: Record<string, string> = {}
  host.on((event) => {
    if (event.type === 'call-delta') streamed[event.call] = (streamed[event.call] ?? '') + event.text
  })
  const run = async (name: string, args: object) => {
    const { id, result } = host.start(name, args)
    return { result: await result, text: streamed[id] }
  }
  expect(await run('gen', { n: 3 })).toMatchObject({ result: { data: { lines: 3 } }, text: 'line 0\nline 1\nline 2\n' })
  expect(await run('agen', {})).toMatchObject({ result: { data: 'a{"b":1}\n' }, text: 'a{"b":1}\n' })
  expect(await run('talk', {})).toMatchObject({
    result: { data: 'done' },
    text: 'logged\n25% quarter\nhalf\nprintederror stream\nWARNING:root:careful\nbytes é',
  })
})

test('an image is carried as data, from bytes with a MIME type or from a file', async () => {
  const code = `
PNG = bytes.fromhex("89504e470d0a1a0a") + bytes(4)
def from_bytes(): return {"image": PNG, "mime_type": "image/png", "text": "a plot", "name": "plot.png"}
def from_file():
    with open("plot.png", "wb") as file: file.write(PNG)
    return {"image_path": "plot.png"}
def without_type(): return {"image": PNG}
def missing(): return {"image_path": "nowhere.png"}
def big(): return {"image": bytes(1_000_001), "mime_type": "image/png", "text": "a big plot"}
def large(): return {"image": bytes(20_000_001), "mime_type": "image/png"}
`
  const { host } = await pythonHost({
    'a.py': toolFile(code, { from_bytes: {}, from_file: {}, without_type: {}, missing: {}, big: {}, large: {} }),
  })
  const image = { name: 'plot.png', mediaType: 'image/png', encoding: 'base64', content: 'iVBORw0KGgoAAAAA' }
  expect(await host.call('from_bytes')).toEqual({ ok: true, text: 'a plot', data: { image } })
  expect(await host.call('from_file')).toEqual({
    ok: true,
    text: 'Image plot.png (image/png, 12 bytes).',
    data: { image },
  })
  expect(await host.call('without_type')).toMatchObject({ ok: false, text: expect.stringContaining('mime_type') })
  expect(await host.call('missing')).toMatchObject({ ok: false, text: expect.stringContaining('nowhere.png') })
  expect(await host.call('big')).toMatchObject({
    text: expect.stringMatching(/^a big plot\nThe image is not shown: it has 1000001 bytes/),
    data: { omitted: true, mediaType: 'image/png', size: 1_000_001 },
  })
  expect(await host.call('large')).toMatchObject({ ok: false, code: 'TOO_LARGE' })
})

test("one's own tools run without a question and say why; approval, and hosts of a network tool, ask", async () => {
  const none = 'def f(**given): return "ran"\nanything = wants = looks = reach = quiet = f'
  const text = { type: 'object', properties: { url: { type: 'string', description: 'URL' } } }
  const { host } = await pythonHost({
    'a.py': toolFile(none, {
      anything: {},
      wants: { approval: true },
      looks: { effect: 'network' },
      reach: { effect: 'network', hosts: ['api.example.com'], parameters: text, touches: { connects: ['url'] } },
      quiet: { effect: 'network', hosts: ['api.example.com'], approval: false },
    }),
  })
  const own = 'which you allowed by putting its file into your tools folder'
  expect(await host.check('anything')).toMatchObject({
    decision: 'allow',
    rule: 'own tool',
    text: expect.stringContaining(`your own (effect run), ${own}`),
  })
  expect(await host.check('wants')).toMatchObject({ decision: 'ask', rule: 'tool approval' })
  expect(await host.check('looks')).toMatchObject({ decision: 'allow', rule: 'own tool' })
  expect(await host.check('reach', { url: 'https://other.example/x' })).toMatchObject({
    decision: 'ask',
    text: expect.stringContaining('(effect network) that connects to other.example and api.example.com'),
  })
  expect(await host.check('quiet')).toMatchObject({ decision: 'allow', rule: 'tool approval' })
  host.addRule({ name: 'known', decision: 'allow', hosts: ['api.example.com'] })
  expect(await host.check('reach')).toMatchObject({ decision: 'allow', rule: 'known' })
  expect(await host.check('reach', { url: 'https://other.example/x' })).toMatchObject({ decision: 'ask' })
})
