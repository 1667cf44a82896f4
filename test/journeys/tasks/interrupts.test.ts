import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, type Ended, haft } from '../../support/built-program.ts'
import { eventually, findProcesses } from '../../support/processes.ts'
import { openTerminal } from '../../support/terminal.ts'

/** Runs a command and sends it a signal once its tool says that it is at work. */
function interrupted(program: BuiltProgram, args: readonly string[], signal: NodeJS.Signals): Promise<Ended> {
  return haft(program, args, { onLogged: (text, kill) => text.includes('at work') && kill(signal) })
}

test.for([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('S2.1 %s cancels the call, runs finally and writes the log', async ([signal, code]) => {
  const program = buildProgram()
  const ended = await interrupted(program, ['call', 'stage_note', '{"path":"a"}', '--yes'], signal)
  expect(ended.code).toBe(code)
  expect(ended.stderr).toContain('CANCELLED')
  expect(readFileSync(join(program.workspace, 'a.cleaned'), 'utf8')).toBe('CANCELLED')
  const { calls } = JSON.parse((await haft(program, ['log', '--json'])).stdout)
  expect(calls).toMatchObject([{ tool: 'stage_note', outcome: 'CANCELLED' }])
})

test('S2.1 SIGTERM ends a task too, with its finally, and children with it', async () => {
  const program = buildProgram()
  const mark = `haft-mark-${process.pid}`
  const staged = await interrupted(
    program,
    ['call', 'stage_note', '{"path":"a","background":true}', '--yes'],
    'SIGTERM',
  )
  expect(staged.code).toBe(143)
  expect(readFileSync(join(program.workspace, 'a.cleaned'), 'utf8')).toBe('CANCELLED')
  const command = `echo at work; exec -a ${mark} sleep 1000`
  const shell = await interrupted(program, ['call', 'shell', JSON.stringify({ command }), '--yes'], 'SIGTERM')
  expect(shell.code).toBe(143)
  expect(findProcesses(`${mark} 1000`)).toEqual([])
})

test('S2.5 a one-shot call stays until its task ends, and prints its result; haft tasks shows it afterwards', async () => {
  const program = buildProgram()
  const call = await haft(program, ['call', 'shell', '{"command":"sleep 1.2; echo done","background":true}', '--yes'])
  expect(call.stdout).toMatch(/runs in the background as task c_\S+/)
  expect(`${call.stdout}${call.stderr}`).toContain('done\n')
  const { tasks } = JSON.parse((await haft(program, ['tasks', '--json'])).stdout)
  expect(tasks).toMatchObject([{ tool: 'shell', state: 'ended', outcome: 'ok' }])
  expect((await haft(program, ['tasks', tasks[0].task])).stdout).toMatch(/ok .*shell[\s\S]*done/)
  expect((await haft(program, ['tasks', tasks[0].task, 'cancel'])).code).toBe(1)
  expect((await haft(program, ['tasks', 'nope'])).code).toBe(1)
})

test('S2.5 haft tasks cancels a task of another process; one whose process was killed shows as INTERRUPTED', async () => {
  const program = buildProgram()
  const args = ['call', 'stage_note', '{"path":"a","background":true}', '--yes']
  const tasks = async () => JSON.parse((await haft(program, ['tasks', '--json'])).stdout).tasks
  let cancelling: Promise<Ended> | undefined
  const cancelled = await haft(program, args, {
    onLogged: (text) => {
      if (text.includes('at work'))
        cancelling = tasks().then(([{ task }]) => haft(program, ['tasks', task, 'cancel', '--json']))
    },
  })
  expect(JSON.parse((await cancelling)?.stdout ?? '')).toMatchObject({ state: 'ended', outcome: 'CANCELLED' })
  expect(cancelled.code).toBe(0)
  await interrupted(program, args, 'SIGKILL')
  expect(await tasks()).toMatchObject([{ outcome: 'INTERRUPTED' }, { outcome: 'CANCELLED' }])
})

test('S2.6 lines of --stdin keep their order, and a background line blocks nothing', async () => {
  const program = buildProgram()
  const line = (id: number, name: string, args: object) => `${JSON.stringify({ id, name, arguments: args })}\n`
  const input = [
    line(1, 'shell', { command: 'sleep 0.5; echo slow > a.txt', background: true }),
    line(2, 'write_file', { path: 'b.txt', content: 'one' }),
    line(3, 'read_file', { path: 'b.txt' }),
    line(4, 'edit_file', { path: 'b.txt', edits: [{ old: 'one', new: 'two' }] }),
    line(5, 'read_file', { path: 'b.txt' }),
  ].join('')
  const { stdout } = await haft(program, ['call', '--stdin', '--yes'], { input })
  const answers = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  expect(answers.every(({ ok }) => ok)).toBe(true)
  expect([answers[2].data.content, answers[4].data.content]).toEqual(['one', 'two'])
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('slow\n')
})

test('in a terminal a long call shows a spinner, its time and its output; Ctrl-C cancels, a second one ends at once', async () => {
  const program = buildProgram()
  const open = (tool: string, args: string) =>
    openTerminal([process.execPath, program.main, 'call', tool, args, '--yes'], {
      cwd: program.workspace,
      env: { HAFT_HOME: program.home },
    })
  const heeding = open('stage_note', '{"path":"a"}')
  await heeding.waitFor(/at work[\s\S]*running [2-9]\.\d s/)
  heeding.press('C-c')
  expect(await heeding.waitFor(/exit=130/)).toContain('CANCELLED')
  const deaf = open('hang', '{}')
  await deaf.waitFor(/half a word[\s\S]*running \d/)
  deaf.press('C-c')
  deaf.press('C-c')
  await deaf.waitFor(/exit=130/)
  await eventually(() => findProcesses(`${program.main} call`).length === 0)
})

test('closing the terminal during a prompt cancels the call: no request and no process is left', async () => {
  const program = buildProgram()
  const args = ['call', 'write_note', '{"path":"a.txt","text":"hi"}']
  const terminal = openTerminal([process.execPath, program.main, ...args], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
  })
  await terminal.waitFor(/lways… ›/)
  terminal.close()
  await eventually(() => findProcesses(`${program.main} call`).length === 0)
  expect(JSON.parse((await haft(program, ['log', '--json'])).stdout).calls).toMatchObject([{ outcome: 'CANCELLED' }])
  expect(JSON.parse((await haft(program, ['approvals', '--json'])).stdout).approvals).toEqual([])
})
