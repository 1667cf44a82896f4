import { spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'
import { temporaryFolder } from '../../support/example-host.ts'

const root = join(import.meta.dirname, '../../..')

test('haft call runs one call and prints its text; exit code 0', async () => {
  expect(await haft(buildProgram(), ['call', 'add_numbers', '{"a":1,"b":2}'])).toEqual({
    code: 0,
    stdout: '{"sum":3}\n',
    stderr: '',
  })
})

test('haft call --json prints one flat JSON value and nothing else', async () => {
  const program = buildProgram()
  const ok = await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}', '--json'])
  expect(JSON.parse(ok.stdout)).toEqual({ id: null, ok: true, text: '{"sum":3}', data: { sum: 3 } })
  const failed = await haft(program, ['call', 'fail_always', '{"message":"no"}', '--json'])
  expect(failed).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(failed.stdout)).toEqual({ id: null, ok: false, code: 'EXECUTION_ERROR', text: 'no' })
})

test('arguments may come from standard input', async () => {
  expect((await haft(buildProgram(), ['call', 'add_numbers', '-'], { input: '{"a":1,"b":2}' })).stdout).toBe(
    '{"sum":3}\n',
  )
})

test.for([
  ['value', { ok: true, value: { stdout: 'hi', exitCode: 1 } }],
  ['copilot', { resultType: 'success', textResultForLlm: '{"stdout":"hi","exitCode":1}' }],
  ['tool-result', { tool_call_id: '', output: '{"stdout":"hi","exitCode":1}', error: 'exit code 1', success: false }],
] as const)('S1.12 S0.7 S4.5 call --as %s prints that form', async ([form, expected]) => {
  const { stdout } = await haft(buildProgram(), [
    'call',
    'run_echo',
    '{"words":"hi","exitCode":1}',
    '--yes',
    '--as',
    form,
  ])
  expect(JSON.parse(stdout)).toEqual(expected)
})

test('bad JSON shows where; the exit code is 1', async () => {
  const ended = await haft(buildProgram(), ['call', 'add_numbers', '{"a": 1, "b": oops"'])
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(/INVALID_ARGUMENTS.*JSON/)
  const strict = await haft(buildProgram(), ['call', 'add_numbers', '[1, 2'])
  expect(strict.stderr).toContain('it ends too early (line 1, column 6)')
})

test('with nobody to ask, a call that asks is DENIED with exit code 3; --yes answers; a deny stays a deny', async () => {
  const program = buildProgram()
  const args = ['call', 'write_note', '{"path":"a.txt","text":"hi"}']
  const denied = await haft(program, args)
  expect(denied.code).toBe(3)
  expect(denied.stderr).toContain('nobody to ask')
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
  expect(await haft(program, [...args, '--yes'])).toMatchObject({ code: 0 })
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('hi')
})

test('--workspace and HAFT_WORKSPACE choose the folder, the flag first', async () => {
  const program = buildProgram()
  const other = buildProgram()
  writeFileSync(join(other.workspace, 'n.txt'), 'theirs')
  const call = ['call', 'read_note', '{"path":"n.txt"}']
  expect((await haft(program, call, { env: { HAFT_WORKSPACE: other.workspace } })).stdout).toBe('theirs\n')
  expect(
    (await haft(program, [...call, '--workspace', other.workspace], { env: { HAFT_WORKSPACE: '/' } })).stdout,
  ).toBe('theirs\n')
  const missing = await haft(program, [...call, '--workspace', '/no/such/folder'])
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/no/such/folder does not exist or is not a folder'),
  })
})

test('call --stdin answers every line by its id, keeps writes in order, and survives bad lines', async () => {
  const program = buildProgram()
  const lines = [
    '{"id":1,"name":"write_note","arguments":{"path":"n.txt","text":"one"}}',
    '{"id":"two","name":"read_note","arguments":"{\\"path\\":\\"n.txt\\"}"}',
    '{"id":3,"name":"write_note","arguments":{"path":"n.txt","text":"three"}}',
    'not json',
    '',
    '{"id":5,"name":"read_note","arguments":{"path":"n.txt"}}',
    '{"id":6,"name":"nope"}',
    '{"id":7}',
  ]
  const { stdout, code } = await haft(program, ['call', '--stdin', '--yes'], { input: lines.join('\n') })
  const answers = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
  )
  expect(code).toBe(0)
  expect(answers.get('two')).toMatchObject({ ok: true, text: 'one' })
  expect(answers.get(5)).toMatchObject({ ok: true, text: 'three' })
  expect(answers.get(null)).toMatchObject({
    ok: false,
    code: 'INVALID_ARGUMENTS',
    text: expect.stringContaining('line 4 is not JSON'),
  })
  expect(answers.get(6)).toMatchObject({ ok: false, code: 'UNKNOWN_TOOL' })
  expect(answers.get(7)).toMatchObject({ ok: false, text: expect.stringContaining('name is missing') })
})

test('check says decision, rule, effects and repairs, runs nothing, and exits by the decision', async () => {
  const program = buildProgram()
  const ask = await haft(program, ['check', 'write_note', "{'path':'a.txt','text':'x'}"])
  expect(ask.code).toBe(0)
  expect(ask.stdout).toMatch(/^ask\s+write_note\nA person would be asked: it changes files/)
  expect(ask.stdout).toContain('writes a.txt')
  expect(ask.stdout).toContain('repaired the JSON syntax')
  const json = await haft(program, ['check', 'write_note', '{"path":"a.txt","text":"x"}', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    id: null,
    decision: 'ask',
    rule: 'effect write',
    arguments: { path: 'a.txt', text: 'x' },
    trace: [],
  })
  const invalid = await haft(program, ['check', 'write_note', '{}'])
  expect(invalid.code).toBe(1)
  const lines = await haft(program, ['check', '--stdin'], {
    input: '{"id":1,"name":"add_numbers","arguments":{"a":1,"b":1}}\n',
  })
  expect(JSON.parse(lines.stdout)).toMatchObject({ id: 1, decision: 'allow' })
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('tools lists, shows one, and prints definitions', async () => {
  const program = buildProgram()
  const listed = await haft(program, ['tools'])
  expect(listed.stdout).toMatch(/^add_numbers\s+none\s+built-in\s+Add two numbers\.$/m)
  const json = JSON.parse((await haft(program, ['tools', '--json'])).stdout)
  expect(json.tools.find(({ name }: { name: string }) => name === 'task_complete')).toMatchObject({
    wireName: 'task_complete',
    effect: 'none',
    origin: 'built-in',
    parameters: { type: 'object' },
  })
  expect(json.skipped).toEqual([])
  const definitions = JSON.parse((await haft(program, ['tools', '--format', 'openai'])).stdout)
  expect(definitions[0]).toMatchObject({ type: 'function', function: { name: 'add_numbers' } })
  expect((await haft(program, ['tools', 'show_note'])).stdout).toContain('also called')
  expect(await haft(program, ['tools', 'ad_numbers'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean add_numbers'),
  })
})

test('S2.9 a tool file dropped into src/tools is offered with no other change', async () => {
  const folder = temporaryFolder()
  for (const part of ['src', 'python', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const program = { ...buildProgram(), main: join(folder, 'src/main.ts') }
  writeFileSync(
    join(folder, 'src/tools/say-hello.ts'),
    `import { objectSchema, string } from '../core/tool/schema.ts'
     import { defineTool } from '../core/tool/tool.ts'
     export default defineTool({ name: 'say_hello', description: 'Hello.', input: objectSchema({ to: string('Whom') }), effect: 'none', execute: ({ to }) => 'Hello, ' + to })`,
  )
  expect((await haft(program, ['call', 'say_hello', '{"to":"you"}'])).stdout).toBe('Hello, you\n')
})

test('a file among the tools that is not a tool is skipped, and tools and doctor say so', async () => {
  const program = buildProgram()
  writeFileSync(join(program.tools, 'broken.js'), 'export default 1')
  expect((await haft(program, ['tools'])).stdout).toContain('skipped  broken.js: its default export is not a tool')
  expect(await haft(program, ['doctor'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('✗ tool       broken.js was skipped'),
  })
})

test('doctor says what works on this machine', async () => {
  const ended = await haft(buildProgram(), ['doctor', '--json'])
  expect(ended.code).toBe(0)
  const { findings } = JSON.parse(ended.stdout)
  const kinds = new Set(findings.map(({ what }: { what: string }) => what))
  expect([...kinds]).toEqual(['node', 'home', 'ripgrep', 'program', 'workspace', 'log', 'tools', 'sandbox', 'person'])
  const sandbox = findings.filter(({ what }: { what: string }) => what === 'sandbox')
  expect(sandbox.map(({ seen }: { seen: string }) => seen.split(':')[0])).toEqual([
    'writes',
    'kernel',
    'reads',
    'network',
    'namespaces',
    'filter',
    'capabilities',
    'memory',
    'processes',
    'changes',
    'python',
    'git',
  ])
})

test('doctor continues if Haft’s own folder cannot be read', async () => {
  const program = buildProgram()
  symlinkSync(program.home, program.home)
  const ended = await haft(program, ['doctor'])
  expect(ended).toMatchObject({ code: 1, stderr: '' })
  expect(ended.stdout).toMatch(/^✗ home +\S+ cannot be reached: its links form a loop/m)
  expect(ended.stdout).toContain('✓ person')
})

test('with an empty HOME, the settings of a workspace are not used as those of the user', async () => {
  const program = buildProgram()
  mkdirSync(join(program.workspace, '.haft'))
  writeFileSync(join(program.workspace, '.haft/settings.toml'), 'sandbox = "off"')
  const { stdout } = await haft(program, ['check', 'shell', '{"command":"ls"}'], { env: { HOME: '', HAFT_HOME: '' } })
  expect(stdout).toMatch(/^allow/)
})

test('a relative HAFT_HOME is guarded like any other', async () => {
  const program = buildProgram()
  const args = ['check', 'shell', `{"command":"cat ${program.home}/log.db"}`]
  const { stdout } = await haft(program, args, { env: { HAFT_HOME: '../home' } })
  expect(stdout).toMatch(/^deny .*\n.*no_haft_home/)
})

test('doctor says why nothing can start, too', async () => {
  const program = buildProgram()
  mkdirSync(program.home)
  writeFileSync(join(program.home, 'settings.toml'), 'durabel = 1\n')
  const ended = await haft(program, ['doctor'])
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/✗ start .*settings\.toml:1:1: durabel: unknown key/)
})

test('usage errors exit with 2: an unknown command suggests one, a missing argument is named', async () => {
  const program = buildProgram()
  expect(await haft(program, ['cal'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean call?') })
  expect(await haft(program, ['call'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing argument 'tool'"),
  })
  expect(await haft(program, ['approvals', 'grants', 'revoke'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing argument 'grant'"),
  })
  expect(await haft(program, ['call', 'x', '--as', 'poem'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('value, copilot, tool-result'),
  })
})

test.for([
  ['tools', 'UNKNOWN_TOOL'],
  ['log', 'FILE_NOT_FOUND'],
  ['tasks', 'FILE_NOT_FOUND'],
  ['approvals', 'FILE_NOT_FOUND'],
] as const)(
  'haft %s of something that is not there says so on stderr, and with --json in JSON',
  async ([command, code]) => {
    const program = buildProgram()
    expect(await haft(program, [command, 'nope'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('nope'),
    })
    const { stdout, ...ended } = await haft(program, [command, 'nope', '--json'])
    expect(ended).toEqual({ code: 1, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ ok: false, code, text: expect.stringContaining('nope') })
  },
)

test.for(['log', 'tasks', 'approvals', 'undo'])(
  'haft %s fails where the log cannot be opened: that is not an empty log',
  async (command) => {
    const program = buildProgram()
    mkdirSync(join(program.home, 'log.db'), { recursive: true, mode: 0o700 })
    const ended = await haft(program, [command])
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be opened') })
    const { stdout, code } = await haft(program, [command, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
  },
)

test('haft help prints the help, haft help call that of call; an unknown command says where to find it', async () => {
  const program = buildProgram()
  expect((await haft(program, ['help'])).stdout).toBe((await haft(program, ['--help'])).stdout)
  expect((await haft(program, ['help', 'call'])).stdout).toBe((await haft(program, ['call', '--help'])).stdout)
  expect((await haft(program, ['xyz'])).stderr).toBe(
    "error: unknown command 'xyz'\nRun haft --help for a list of commands.\n",
  )
})

test('--help and --version answer without loading the program, and the stored help is up to date', async () => {
  const program = buildProgram()
  const help = await haft(program, ['--help'])
  expect(help.stdout).toContain('Exit codes: 0 ok')
  expect((await haft(program, [])).stdout).toBe(help.stdout)
  rmSync(join(program.main, '../help.txt'))
  const { stdout } = await haft(program, ['--help'])
  expect(stdout.replace(/\s+/g, ' ')).toBe(help.stdout.replace(/\s+/g, ' '))
  expect((await haft(program, ['--version'])).stdout).toBe(
    `${JSON.parse(readFileSync(join(program.main, '../../package.json'), 'utf8')).version}\n`,
  )
})

test('an older Node is refused with one line', async () => {
  const program = buildProgram()
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
  const ended = await haft(program, ['tools'], { nodeOptions: ['--import', pretend] })
  expect(ended).toEqual({ code: 1, stdout: '', stderr: 'haft needs Node 24.15 or newer; this is Node 20.20.2.\n' })
})

test('Ctrl-C cancels the call and exits with 130', async () => {
  const ended = await haft(buildProgram(), ['call', 'hang', '{"stops":true}'], {
    onLogged: (text, kill) => text.includes('word') && kill('SIGINT'),
  })
  expect(ended.code).toBe(130)
  expect(ended.stderr).toContain('CANCELLED')
})

test.for([
  ['tools', ''],
  ['call --stdin', '{"id":1,"name":"add_numbers","arguments":{"a":1,"b":2}}\n{"id":2,"name":"hang","arguments":{}}\n'],
])('when the reader closes the pipe, haft %s ends quietly as other programs do', ([args, input]) => {
  const program = buildProgram()
  const ended = spawnSync(
    'bash',
    ['--norc', '-c', `"$0" "$1" ${args} | true; exit "\${PIPESTATUS[0]}"`, process.execPath, program.main],
    {
      cwd: program.workspace,
      env: { PATH: process.env.PATH, TMPDIR: tmpdir(), HAFT_HOME: program.home },
      input,
      encoding: 'utf8',
    },
  )
  expect(ended).toMatchObject({ status: 141, stderr: '' })
})

test.for([['--help'], ['tools'], ['call', 'add_numbers', '{"a":1,"b":2}']])(
  'when what haft %s prints cannot be written, it says so in one line and fails',
  (args) => {
    const program = buildProgram()
    const full = openSync('/dev/full', 'w')
    const ended = spawnSync(process.execPath, [program.main, ...args], {
      cwd: program.workspace,
      env: { PATH: process.env.PATH, TMPDIR: tmpdir(), HAFT_HOME: program.home },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/^haft: cannot write the output: no space is left on the disk\n$/)
  },
)

test('escape sequences in arguments and results never reach the terminal raw', async () => {
  const ended = await haft(buildProgram(), ['call', 'fail_always', '{"message":"\\u001b]0;owned\\u0007 \\u202e"}'])
  expect(ended.stderr).toContain('\\u{1b}]0;owned\\u{7} \\u{202e}')
  expect(ended.stderr).not.toContain('\u001b')
})

test('NO_COLOR is honoured, and a pipe gets no colours', async () => {
  const program = buildProgram()
  expect((await haft(program, ['tools'])).stdout).not.toContain('\u001b[')
  expect((await haft(program, ['tools'], { env: { NO_COLOR: '' } })).stdout).not.toContain('\u001b[')
})
