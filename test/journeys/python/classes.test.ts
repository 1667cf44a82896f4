import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'
import { pythonHost, toolFile, writeFiles } from '../../support/python-tools.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The fourth document's own code. */
const document = (file: string) => readFileSync(join(import.meta.dirname, '../../data/python', file), 'utf8')
const MY_TOOL = `${document('my_tool.py')}\ndef do_something(value):\n    return f"expected {value}"\n`

const PYTHON = join(import.meta.dirname, '../../../python')

test('S4.9 a tool that is registered the way of the document is offered and runs', async () => {
  const { host, tools } = await pythonHost({ 'my.py': `${MY_TOOL}\n${document('register.py')}` })
  expect(host.registry.snapshot().skipped).toEqual([])
  expect(host.registry.snapshot().find('my_tool')).toMatchObject({
    tool: { description: 'What my tool does' },
    parameters: { required: ['arg1'], additionalProperties: false },
    source: expect.stringContaining(join(tools, 'my.py')),
  })
  expect(await host.call('my_tool', { arg1: 'x' })).toEqual({ ok: true, text: 'expected x', data: 'expected x' })
  expect(await host.call('my_tool', {})).toMatchObject({ code: 'INVALID_ARGUMENTS' })
})

test('S4.9 a class alone is offered too, and a ToolResult without success is a failure', async () => {
  const failing = `${MY_TOOL}
class Failing(MyTool):
    @property
    def name(self): return "failing"
    effect = "read"
    async def execute(self, arguments):
        return ToolResult(tool_call_id="", output="", error="What went wrong", success=False)
class Raising(MyTool):
    name = "raising"
    def execute(self, arguments): raise ValueError("thrown all the same")
`
  const { host } = await pythonHost({ 'my.py': failing })
  expect(await host.call('my_tool', { arg1: 'x' })).toMatchObject({ ok: true })
  expect(host.registry.snapshot().find('failing')?.tool.effect).toBe('read')
  expect(await host.call('failing', { arg1: 'x' })).toMatchObject({ code: 'EXECUTION_ERROR', text: 'What went wrong' })
  expect(await host.call('raising', { arg1: 'x' })).toMatchObject({
    text: expect.stringMatching(/^ValueError: thrown all the same\n {2}my\.py:\d+ in execute: /),
  })
})

test('S4.9 create_json_schema and register refuse what cannot work, and say what was expected', async () => {
  const { host, tools } = await pythonHost({
    'a.py': 'from tool.bases import create_json_schema\ncreate_json_schema(properties={"a": {"type": "string"}})\n',
    'c.py': `${MY_TOOL}\nclass Needy(MyTool):\n    name = "needy"\n    def __init__(self, key): pass\n`,
    'b.py': `${MY_TOOL}\nfrom tool.index import ToolRegistry\nToolRegistry().register(MyTool)\n`,
  })
  expect(host.registry.snapshot().skipped).toEqual([
    { source: join(tools, 'a.py'), line: 2, reason: expect.stringContaining('needs a type and a description') },
    { source: join(tools, 'b.py'), line: expect.any(Number), reason: expect.stringContaining('expected an instance') },
    {
      source: join(tools, 'c.py'),
      line: expect.any(Number),
      reason: expect.stringMatching(/^Needy: TypeError: .*key/),
    },
  ])
  expect(await host.call('my_tool', { arg1: 'x' })).toMatchObject({ ok: true })
})

test("S4.9 a SafetyRule in the user's folder becomes a deny rule, is replaced on reload, and stays when its file breaks", async () => {
  const { host, tools } = await pythonHost({ 'rules.py': document('rules.py') })
  expect(host.registry.snapshot().skipped).toEqual([])
  expect(await host.call('shell', { command: 'curl http://127.0.0.1/' })).toMatchObject({
    code: 'BLOCKED',
    text: expect.stringContaining('no_network_access'),
  })
  expect(await host.check('shell', { command: 'echo curl' })).toMatchObject({ decision: 'allow' })
  writeFiles(tools, { 'rules.py': 'from core.rules import (' })
  await host.refreshTools()
  expect(await host.check('shell', { command: 'wget x' })).toMatchObject({
    decision: 'deny',
    rule: 'no_network_access',
  })
  writeFiles(tools, {
    'rules.py': 'from core.rules import SafetyRule\nSafetyRule("other", ["zip"])\nSafetyRule("wrong", ["("])\n',
  })
  await host.refreshTools()
  expect(await host.check('shell', { command: 'zip -r a.zip .' })).toMatchObject({ decision: 'deny', rule: 'other' })
  expect((await host.rules()).map(({ rule }) => rule.name)).not.toContain('no_network_access')
  expect(host.registry.snapshot().skipped).toEqual([
    { source: 'python', reason: expect.stringMatching(/"wrong".*not a valid regular expression/) },
  ])
})

test("S4.9 the document's pytest example runs with MyTool and do_something supplied", () => {
  const folder = temporaryFolder()
  const imports = 'from my_tool import MyTool\n'
  writeFiles(folder, { 'my_tool.py': MY_TOOL, 'test_my_tool.py': imports + document('test_my_tool.py') })
  const printed = execFileSync('/usr/bin/python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', folder], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: PYTHON, PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
  })
  expect(printed).toContain('1 passed')
})

test('S4.9 the rule engine of the document blocks what its rules forbid', () => {
  const code = `${document('rules.py')}
from core.types import ToolCall
print(engine.check(ToolCall("1", "shell", {"command": "curl x"}))[0], engine.check(ToolCall("1", "shell", {"command": "echo curly"}))[0])`
  const env = { ...process.env, PYTHONPATH: PYTHON, PYTHONDONTWRITEBYTECODE: '1' }
  expect(execFileSync('/usr/bin/python3', ['-c', code], { env, encoding: 'utf8' })).toBe('False True\n')
})

test('S4.9 haft tools path prints the PYTHONPATH that the imports need', async () => {
  const program = buildProgram()
  const { stdout, code } = await haft(program, ['tools', 'path'])
  expect(code).toBe(0)
  const env = { ...process.env, PYTHONPATH: stdout.trim(), PYTHONDONTWRITEBYTECODE: '1' }
  const imports = 'import core.types, core.rules, tool.bases, tool.index; print("there")'
  expect(execFileSync('python3', ['-c', imports], { cwd: program.workspace, env, encoding: 'utf8' })).toBe('there\n')
})

test('S0.1 the built program offers the tools of its home and calls them', async () => {
  const program = buildProgram()
  writeFiles(join(program.home, 'tools'), { 'weather_tools.py': document('weather_tools.py'), 'broken.py': 'def f(:' })
  const person = join(program.workspace, '../person')
  writeFiles(join(person, '.copilot-web/tools'), { 'more.py': toolFile('def more(): return 1', { more: {} }) })
  const listed = await haft(program, ['tools', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({
    tools: expect.arrayContaining([
      expect.objectContaining({ name: 'weather_tools:get_temperatures', origin: 'user' }),
      expect.objectContaining({ name: 'more', source: join(person, '.copilot-web/tools/more.py'), line: 2 }),
    ]),
    skipped: [{ source: join(program.home, 'tools/broken.py'), line: 1 }],
  })
  const called = await haft(program, [
    'call',
    'weather_tools:get_temperatures',
    '{"location":"Oslo"}',
    '--as',
    'copilot',
  ])
  expect(called).toMatchObject({ code: 0 })
  expect(called.stdout).toContain('max_c')
})

test('the Python files of Haft keep to the grammar of 3.9', () => {
  const code = `
import ast, pathlib, sys
files = sorted(pathlib.Path(sys.argv[1]).rglob("*.py"))
for path in files: ast.parse(path.read_text(), str(path), feature_version=(3, 9))
print(len(files))`
  const printed = execFileSync('python3', ['-c', code, PYTHON], { encoding: 'utf8' })
  expect(Number(printed)).toBeGreaterThan(15)
})
