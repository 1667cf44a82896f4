import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Event, Host, HostOptions, Result } from '../../../src/index.ts'
import { createRefusingSandbox } from '../../../src/sandbox/refuse.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost } from '../../support/example-host.ts'
import { eventually, findProcesses } from '../../support/processes.ts'

const SANDBOXES: readonly (readonly [string, HostOptions])[] = [
  ['off', { sandbox: 'off' }],
  ['bubblewrap', {}],
]

const yes = { decision: 'allow' } as const

async function deltasOf(host: Host): Promise<string> {
  return (await host.log.read())
    .filter((event): event is Event & { type: 'call-delta' } => event.type === 'call-delta')
    .map(({ text }) => text)
    .join('')
}

function dataOf(result: Result): unknown {
  return result.ok ? result.data : result
}

test('with no sandbox a command is UNAVAILABLE, and the answer says what to install', async () => {
  const sandbox = createRefusingSandbox('bubblewrap is not installed', 'Install it with: apt-get install bubblewrap.')
  const host = await exampleHost({ sandbox })
  const result = await host.call('shell', { command: 'echo hi' }, yes)
  expect(result).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
  expect(result.text).toContain('apt-get install bubblewrap')
})

test.for(SANDBOXES)(
  'S4.1 S3.3 shell gives stdout, stderr, exit code; another code than 0 is no failure (%s)',
  async ([, options]) => {
    const host = await exampleHost(options)
    const result = await host.call('shell', { command: 'echo out; echo err >&2; exit 3' }, yes)
    expect(result).toMatchObject({ ok: true, data: { stdout: 'out\n', stderr: 'err\n', exitCode: 3 } })
    expect(result.text).toMatch(/^out\n\[stderr\]\nerr\n\[exit code 3\]/)
    expect(await deltasOf(host)).toContain('out\n')
    expect(await deltasOf(host)).toContain('err\n')
  },
)

test.for(SANDBOXES)(
  'S3.5 run_command runs `python hello.py` as it is written in the document (%s)',
  async ([, options]) => {
    const host = await exampleHost(options)
    writeFileSync(join(host.workspace, 'hello.py'), "print('Hello, World!')\n")
    const result = await host.call('run_command', '{"command": "python hello.py"}', yes)
    expect(result).toMatchObject({ ok: true, data: { stdout: 'Hello, World!\n', exitCode: 0 } })
  },
)

test.for(SANDBOXES)('S1.6 run_code runs Python and bash with args and env, at once (%s)', async ([, options]) => {
  const host = await exampleHost(options)
  const python = await host.call(
    'run_code',
    {
      language: 'python',
      code: 'import sys, os\nprint(sys.argv[1:], os.environ["NAME"], __name__)\nopen("made.txt", "w").write("by python")',
      args: ['a b', "c'd"],
      env: { NAME: 'it\'s "me"' },
    },
    yes,
  )
  expect(dataOf(python)).toMatchObject({ stdout: `['a b', "c'd"] it's "me" __main__\n`, stderr: '', exitCode: 0 })
  expect(readFileSync(join(host.workspace, 'made.txt'), 'utf8')).toBe('by python')
  const bash = await host.call(
    'run_code',
    {
      language: 'bash',
      code: 'echo "$1" $NAME',
      args: ['x  y'],
      env: { NAME: 'z' },
    },
    yes,
  )
  expect(dataOf(bash)).toMatchObject({ stdout: 'x  y z\n', exitCode: 0 })
})

test.for(SANDBOXES)('S1.6 an error in Python shows its line (%s)', async ([, options]) => {
  const host = await exampleHost(options)
  const result = await host.call('run_code', { language: 'python', code: 'x = 1\nx / 0\n' }, yes)
  expect(result).toMatchObject({ ok: true, data: { exitCode: 1 } })
  expect(result.text).toMatch(/line 2[\s\S]*ZeroDivisionError/)
})

test.for(SANDBOXES)('a command that waits for input ends with a hint (%s)', async ([, options]) => {
  const host = await exampleHost(options)
  const result = await host.call('run_code', { language: 'python', code: 'input("name? ")' }, yes)
  expect(result.text).toContain('standard input is closed')
})

test.for(SANDBOXES)('S4.1 the time limit ends a command with TIMEOUT and what it printed (%s)', async ([, options]) => {
  const host = await exampleHost(options)
  const result = await host.call('shell', { command: 'echo before; sleep 60', timeout: 1 }, yes)
  expect(result).toMatchObject({ ok: false, code: 'TIMEOUT', details: { partial: 'before\n', work: 'stopped' } })
  expect(result.text).toContain('All its processes were ended')
})

test('a command that leaves a fifo keeps its output, and the result says what became of the fifo', async () => {
  const host = await exampleHost()
  const result = await host.call('shell', { command: 'mkfifo x; echo hello; echo new > file' }, yes)
  expect(result).toMatchObject({ ok: true, data: { stdout: 'hello\n', changed: { added: ['file'], leftOut: ['x'] } } })
  expect(result.text).toBe(
    'hello\n[added file; 1 special file was left out, since a workspace holds no fifos, sockets or devices: x]',
  )
})

test('a command whose changes are refused keeps its output too', async () => {
  const host = await exampleHost()
  const code = 'import os, sys\nprint("hello")\nprint("oops", file=sys.stderr)\nopen(b"bad\\xff", "w")\nsys.exit(3)'
  const result = await host.call('run_code', { language: 'python', code }, yes)
  expect(result).toMatchObject({ code: 'EXECUTION_ERROR', details: { partial: 'hello\noops\n', exitCode: 3 } })
  expect(result.text).toMatch(/applied\. It had printed:\nhello\n\[stderr\]\noops\n\[exit code 3\]$/)
})

test.for(SANDBOXES)('long code and long commands pass whole (%s)', async ([, options]) => {
  const host = await exampleHost(options)
  const command = `printf %s '${'é'.repeat(99_000)}' | wc -m`
  expect(dataOf(await host.call('shell', { command }, yes))).toMatchObject({ exitCode: 0, stderr: '' })
  const code = `text = '${'é'.repeat(59_000)}'\nprint(len(text))`
  expect(dataOf(await host.call('run_code', { language: 'python', code }, yes))).toMatchObject({ stdout: '59000\n' })
})

test.for([
  ['a timeout of 0', 'shell', { command: 'true', timeout: 0 }],
  ['a timeout past 600', 'run_code', { language: 'bash', code: 'true', timeout: 601 }],
  ['an empty command', 'shell', { command: '' }],
  ['a NUL in a command', 'shell', { command: 'a\0b' }],
  ['a NUL in env', 'run_code', { language: 'bash', code: 'true', env: { A: 'x\0y' } }],
  ['a NUL in code', 'run_code', { language: 'bash', code: 'x\0y' }],
  ['a name that is none in env', 'run_code', { language: 'bash', code: 'true', env: { 'A=B': 'x' } }],
  ['another language', 'run_code', { language: 'ruby', code: 'puts 1' }],
] as const)('%s is refused before anything runs', async ([, tool, args]) => {
  const host = await exampleHost({ sandbox: 'off' })
  expect(await host.call(tool, args, yes)).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  expect((await host.log.read()).map(({ type }) => type)).not.toContain('call-run')
})

test('arguments that no program could take are TOO_LARGE, not a crash', async () => {
  const host = await exampleHost({ sandbox: 'off' })
  const args = Array.from({ length: 100 }, () => 'x'.repeat(30_000))
  expect(await host.call('run_code', { language: 'bash', code: 'true', args })).toMatchObject({ code: 'TOO_LARGE' })
})

test('everyday commands and code run at once, and say what they run; without a sandbox both ask', async () => {
  const shut = await exampleHost()
  expect(await shut.check('shell', { command: 'ls' })).toMatchObject({ decision: 'allow', rule: 'everyday_commands' })
  expect(await shut.check('shell', { command: 'frobnicate' })).toMatchObject({ decision: 'ask' })
  expect(await shut.check('run_code', { language: 'bash', code: 'frobnicate' })).toMatchObject({ decision: 'allow' })
  expect(await shut.check('run_code', { language: 'bash', code: 'rm -rf ~' })).toMatchObject({ decision: 'deny' })
  const { effects } = await shut.check('run_code', { language: 'python', code: "print('x')" })
  expect(effects).toContain(`runs python3 -c 'print('\\''x'\\'')'`)
  const bare = await exampleHost({ sandbox: 'off' })
  for (const [tool, args] of [
    ['shell', { command: 'ls' }],
    ['run_code', { language: 'bash', code: 'ls' }],
  ] as const) {
    expect(await bare.check(tool, args)).toMatchObject({ decision: 'ask', rule: 'ask_without_sandbox' })
  }
})

test.for(['SIGINT', 'SIGKILL', 'SIGTERM'] as const)(
  '%s of haft ends the command and all its children',
  async (signal) => {
    const mark = `7${Math.floor(Math.random() * 1e9)}`
    const program = buildProgram()
    const code = `setsid sleep ${mark} & echo begun; sleep ${mark}`
    const ended = await haft(program, ['call', 'run_code', JSON.stringify({ language: 'bash', code })], {
      onLogged: (text, kill) => text.includes('begun') && kill(signal),
    })
    if (signal === 'SIGINT') expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining('CANCELLED') })
    await eventually(() => findProcesses(`sleep ${mark}`).length === 0)
  },
)
