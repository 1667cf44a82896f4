import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { openTerminal, type Terminal } from '../../support/terminal.ts'
import { startWaiting } from '../../support/waiting-call.ts'

const SLOW = { command: 'echo early; sleep 1.3; echo late' }
const SLOW_BOTH = { command: 'echo out; echo err >&2; sleep 1.3; echo late; exit 3' }

function environment(program: BuiltProgram): Record<string, string> {
  return { HAFT_HOME: program.home, NO_COLOR: '1', node: process.execPath, main: program.main }
}

/** Runs a line of shell in which `haft` is the built command, with pipes and files only. */
function runLine(program: BuiltProgram, line: string) {
  const { PATH } = process.env
  return spawnSync('bash', ['-c', `haft() { "$node" "$main" "$@"; }\n${line}`], {
    cwd: program.workspace,
    env: { PATH, ...environment(program) },
    encoding: 'utf8',
  })
}

/** The same in a terminal. */
function openLine(program: BuiltProgram, line: string): Terminal {
  const options = { cwd: program.workspace, env: environment(program), columns: 100 }
  return openTerminal(['bash', '-c', `haft() { "$node" "$main" "$@"; }\n${line}`], options)
}

const call = (args: object, tool = 'shell') => `haft call ${tool} '${JSON.stringify(args)}'`

/** How often a line of its own says exactly this. */
const times = (screen: string, line: string) => screen.split('\n').filter((seen) => seen.trim() === line).length

test('with pipes a slow call prints all its output on stdout, and nothing on stderr', async () => {
  const ended = await haft(buildProgram(), ['call', 'shell', JSON.stringify(SLOW)])
  expect(ended).toEqual({ code: 0, stdout: 'early\nlate\n', stderr: '' })
})

test('haft call … 2>&1 | cat gives the output of a slow call once', () => {
  expect(runLine(buildProgram(), `${call(SLOW_BOTH)} 2>&1 | cat`).stdout).toBe(
    'out\nlate\n[stderr]\nerr\n[exit code 3]\n',
  )
})

test('with files a slow call writes its output once, to stdout', () => {
  const program = buildProgram()
  runLine(program, `${call(SLOW)} > ../out 2> ../err; ${call(SLOW)} > ../both 2>&1`)
  const read = (name: string) => readFileSync(join(program.workspace, '..', name), 'utf8')
  expect([read('out'), read('err'), read('both')]).toEqual(['early\nlate\n', '', 'early\nlate\n'])
})

test('a slow call that is stopped prints on stdout what it had printed until then', async () => {
  const args = { command: 'echo before; sleep 100', timeout: 2 }
  const ended = await haft(buildProgram(), ['call', 'shell', JSON.stringify(args)])
  expect(ended).toMatchObject({ code: 1, stdout: 'before\n', stderr: expect.stringMatching(/^TIMEOUT/) })
})

test('at a terminal each piece of output is seen once, as it comes, and then the rest of the result', async () => {
  const program = buildProgram()
  const command = 'echo out; sleep 3; echo err >&2; echo late; exit 3'
  const terminal = openLine(program, call({ command }))
  expect(await terminal.waitFor(/out/)).not.toContain('late')
  const screen = await terminal.waitFor(/exit=0/)
  for (const line of ['out', 'err', 'late', '[exit code 3]']) expect([line, times(screen, line)]).toEqual([line, 1])
  expect(screen).not.toContain('[stderr]')
})

test('at a terminal what follows output without a last newline starts on a line of its own', async () => {
  const screen = await openLine(buildProgram(), call({ command: 'printf half; sleep 1.3; exit 3' })).waitFor(/exit=0/)
  expect(screen.split('\n').map((line) => line.trim())).toEqual(expect.arrayContaining(['half', '[exit code 3]']))
})

test('at a terminal a short call is shown once, completely', async () => {
  const screen = await openLine(buildProgram(), call({ command: 'echo out; echo err >&2' })).waitFor(/exit=0/)
  for (const line of ['out', '[stderr]', 'err']) expect([line, times(screen, line)]).toEqual([line, 1])
})

test('at a terminal the output of a task is shown once, and then the rest of its result', async () => {
  const args = { command: 'echo out; sleep 1.3; echo late; exit 3', background: true }
  const screen = await openLine(buildProgram(), `${call(args)} --yes`).waitFor(/exit=0/)
  for (const line of ['out', 'late', '[exit code 3]']) expect([line, times(screen, line)]).toEqual([line, 1])
})

test('with stdout in a file, the terminal on stderr shows the output as it comes, and the file has all of it', async () => {
  const program = buildProgram()
  const screen = await openLine(program, `${call(SLOW_BOTH)} > ../out`).waitFor(/exit=0/)
  for (const line of ['out', 'err', 'late']) expect([line, times(screen, line)]).toEqual([line, 1])
  expect(readFileSync(join(program.workspace, '../out'), 'utf8')).toBe('out\nlate\n[stderr]\nerr\n[exit code 3]\n')
})

test('with stderr in a file, the terminal shows the result once and the file gets nothing', async () => {
  const program = buildProgram()
  const screen = await openLine(program, `${call(SLOW)} 2> ../err`).waitFor(/exit=0/)
  for (const line of ['early', 'late']) expect([line, times(screen, line)]).toEqual([line, 1])
  expect(readFileSync(join(program.workspace, '../err'), 'utf8')).toBe('')
})

test('output that the arguments hold too is not taken out of what ran', async () => {
  const program = buildProgram()
  const edited = JSON.stringify({ command: 'echo same; sleep 1.3' })
  const terminal = openLine(program, `EDITOR= VISUAL= ${call({ command: 'sleep 0.1; curl http://x.invalid' })}`)
  await terminal.waitFor(/\[e\]dit.*›/)
  terminal.press('e', 'Enter')
  await terminal.waitFor(/›[^›]*\{/)
  terminal.press('C-u')
  terminal.type(edited)
  terminal.press('Enter')
  const screen = await terminal.waitFor(/exit=\d/)
  expect(screen).toContain(`what ran: ${edited} (changed: command)`)
  expect(times(screen, 'same')).toBe(1)
})

test('haft approvals ID yes gives the output of the call it runs once', async () => {
  const program = buildProgram()
  const waiting = await startWaiting(program, 'shell', { command: 'echo early; sleep 1.3; echo late; curl localhost' })
  await waiting.kill()
  const { code, stdout, stderr } = await haft(program, ['approvals', waiting.id, 'yes'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^early\nlate\n\[/)
})

test('problems that do not change the result are printed on stderr, also for a short call', async () => {
  const program = buildProgram()
  const tool = `export default {
    name: 'clean_badly', description: 'Cleans up badly.', input: { type: 'object', properties: {} }, effect: 'none',
    steps: () => ({ approvalAt: 0, steps: [{ run: () => 'done' }], cleanups: [() => { throw new Error('the broom broke') }] }),
  }`
  writeFileSync(join(program.tools, 'clean-badly.js'), tool)
  const ended = await haft(program, ['call', 'clean_badly', '{}', '--yes'])
  expect(ended.stderr).toMatch(/^finally of clean_badly failed: the broom broke$/m)
})
