import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../../../src/app/create-host.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { openTerminal } from '../../support/terminal.ts'

const allow = { decision: 'allow' } as const

/** The ids of the calls of a tool, the newest first. */
async function callsOf(program: BuiltProgram, tool: string): Promise<string[]> {
  const { stdout } = await haft(program, ['log', '--tool', tool, '--json'])
  return JSON.parse(stdout).calls.map(({ call }: { call: string }) => call)
}

const write = (program: BuiltProgram, content: string) =>
  haft(program, ['call', 'write_file', JSON.stringify({ path: 'a.txt', content }), '--yes'])

const read = (program: BuiltProgram) => readFileSync(join(program.workspace, 'a.txt'), 'utf8')

/** The built program after a change that can be undone and a later one that cannot. */
async function programWithUnkept(): Promise<{ program: BuiltProgram; older: string; newer: string }> {
  const program = buildProgram()
  await write(program, 'one')
  await write(program, 'two')
  await haft(program, ['call', 'write_note', '{"path":"n.txt","text":"by itself"}', '--yes'])
  const [older = ''] = await callsOf(program, 'write_file')
  const [newer = ''] = await callsOf(program, 'write_note')
  return { program, older, newer }
}

test('haft undo restores no older change in place of one that cannot be undone, with nobody to ask: it names both', async () => {
  const { program, older, newer } = await programWithUnkept()
  const ended = await haft(program, ['undo'])
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(ended.stderr).toMatch(
    new RegExp(`^DENIED [\\s\\S]*- ${newer} \\(.*write_note .*\\): write_note changes files by itself`),
  )
  expect(ended.stderr).toContain(`haft undo ${older}\n`)
  expect(read(program)).toBe('two')
  const json = JSON.parse((await haft(program, ['undo', '--json'])).stdout)
  expect(json).toMatchObject({ ok: false, code: 'DENIED', details: { older, skipped: [{ call: newer }] } })
  expect(await haft(program, ['undo', older, '--yes'])).toMatchObject({ code: 0, stderr: '' })
  expect(read(program)).toBe('one')
})

test('haft undo --yes undoes the older change and names what it skips', async () => {
  const { program, newer } = await programWithUnkept()
  const ended = await haft(program, ['undo', '--yes'])
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('restored a.txt') })
  expect(ended.stderr).toMatch(new RegExp(`cannot be undone[\\s\\S]*${newer}[\\s\\S]*write_note`))
  expect(read(program)).toBe('one')
})

test('at a terminal haft undo names what it skips, and asks before it turns to an older change', async () => {
  const { program, older, newer } = await programWithUnkept()
  const open = () =>
    openTerminal([process.execPath, program.main, 'undo'], { cwd: program.workspace, env: { HAFT_HOME: program.home } })
  const first = open()
  const screen = await first.waitFor(/Undo the older change instead\?[\s\S]*›/)
  expect(screen).toContain(newer)
  expect(screen).toContain(older)
  first.press('n', 'Enter')
  await first.waitFor(/exit=3/)
  expect(read(program)).toBe('two')
  const second = open()
  await second.waitFor(/Undo the older change instead\?[\s\S]*›/)
  second.press('y', 'Enter')
  await second.waitFor(/undo wants to run[\s\S]*›/)
  second.press('y', 'Enter')
  await second.waitFor(/exit=0/)
  expect(read(program)).toBe('one')
})

test('where nothing was kept of any change haft undo says which, and why', async () => {
  const program = buildProgram()
  await haft(program, ['call', 'write_note', '{"path":"n.txt","text":"by itself"}', '--yes'])
  const [newer] = await callsOf(program, 'write_note')
  const ended = await haft(program, ['undo', '--yes'])
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`${newer}`) })
})

test('a command on the workspace itself, live or without a sandbox, counts as a change that cannot be undone', async () => {
  const host = await exampleHost()
  await host.call('write_file', { path: 'a.txt', content: 'one' }, allow)
  const { change } = await host.lastChange()
  expect(await host.call('shell', { command: 'echo > t.txt', live: true, background: true }, allow)).toMatchObject({
    ok: true,
  })
  await host.tasks.idle()
  const reason = expect.stringContaining('on the workspace itself')
  expect(await host.lastChange()).toMatchObject({ change, skipped: [{ reason, record: { tool: 'shell' } }] })
  const bare = await exampleHost({ sandbox: 'off' })
  await bare.call('write_file', { path: 'a.txt', content: 'one' }, allow)
  await bare.call('shell', { command: 'echo > t.txt' }, allow)
  expect(await bare.lastChange()).toMatchObject({ change: { tool: 'write_file' }, skipped: [{ reason }] })
})

test('a call that changed nothing, failed before it could, or was kept is not named as skipped', async () => {
  const host = await exampleHost()
  await host.call('write_file', { path: 'a.txt', content: 'one' }, allow)
  await host.call('shell', { command: 'true' }, allow)
  await host.call('read_note', { path: 'none' }, allow)
  await host.call('write_note', { path: 'n.txt', text: 'refused' })
  await host.call('run_code', { language: 'bash', code: 'echo two > a.txt' }, allow)
  expect(await host.lastChange()).toMatchObject({ change: { tool: 'run_code' }, skipped: [] })
})

test('a command that only refreshed the index of a repository is not the last change', async () => {
  const workspace = temporaryFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], { cwd: workspace })
  git('init', '-q', '.')
  writeFileSync(join(workspace, 'tracked'), 'x')
  git('add', '.')
  git('commit', '-qm', 'one')
  const host = await createHost({ workspace, home: join(temporaryFolder(), 'home') })
  await host.call('write_file', { path: 'a.txt', content: 'one' }, allow)
  utimesSync(join(workspace, 'tracked'), 1_000, 1_000)
  const status = await host.call('shell', { command: 'git status --short' }, allow)
  expect(status).toMatchObject({ ok: true, data: { changed: { added: [], changed: [], deleted: [] } } })
  expect(await host.lastChange()).toMatchObject({ change: { tool: 'write_file' }, skipped: [] })
  expect(await host.undo(await host.undoable(), allow)).toMatchObject({ ok: true })
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
  await host.close()
})

test('of several haft undo at the same time one does it, and the others say that it is being or was undone', async () => {
  const program = buildProgram()
  for (const content of ['one', 'two', 'three']) await write(program, content)
  const [last] = await callsOf(program, 'write_file')
  const ended = await Promise.all(Array.from({ length: 5 }, () => haft(program, ['undo', '--yes'])))
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1, 1])
  for (const { stderr } of ended.filter(({ code }) => code !== 0))
    expect(stderr).toMatch(
      new RegExp(
        `CONFLICT ${last} (is being undone|was already undone|was undone meanwhile,) by c_|CONFLICT ${last} was just undone by c_`,
      ),
    )
  expect(read(program)).toBe('two')
  expect(await haft(program, ['undo', '--yes'])).toMatchObject({ code: 0 })
  expect(read(program)).toBe('one')
})

test('of several haft undo of one id at the same time one does it', async () => {
  const program = buildProgram()
  const change = 'mkdir d; for i in $(seq 200); do echo $i > d/$i; done'
  await haft(program, ['call', 'run_code', JSON.stringify({ language: 'bash', code: change })])
  const [call = ''] = await callsOf(program, 'run_code')
  const ended = await Promise.all(Array.from({ length: 4 }, () => haft(program, ['undo', call, '--yes'])))
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1])
  for (const { stderr } of ended.filter(({ code }) => code !== 0))
    expect(stderr).toMatch(/is being undone|was already undone/)
  expect(existsSync(join(program.workspace, 'd'))).toBe(false)
})

test('a call that was undone is not undone again, until that undo is undone', async () => {
  const program = buildProgram()
  await write(program, 'one')
  await write(program, 'two')
  const [call = ''] = await callsOf(program, 'write_file')
  await haft(program, ['undo', call, '--yes'])
  const [undo = ''] = await callsOf(program, 'undo')
  const again = await haft(program, ['undo', call, '--yes'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`${call} was already undone by ${undo}`) })
  await haft(program, ['undo', undo, '--yes'])
  expect(read(program)).toBe('two')
  expect(await haft(program, ['undo', call, '--yes'])).toMatchObject({ code: 0 })
  expect(read(program)).toBe('one')
})

test('an undo that was refused names its call, and leaves it to the next one', async () => {
  const program = buildProgram()
  await write(program, 'one')
  await write(program, 'two')
  const [call = ''] = await callsOf(program, 'write_file')
  writeFileSync(join(program.workspace, 'a.txt'), 'newer')
  expect(await haft(program, ['undo', call, '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`${call} cannot be undone, and nothing was changed:\\n- a.txt was changed since then`),
    ),
  })
  writeFileSync(join(program.workspace, 'a.txt'), 'two')
  expect(await haft(program, ['undo', call, '--yes'])).toMatchObject({ code: 0 })
})

test('a newline in a file’s name breaks no line of haft undo and haft log', async () => {
  const program = buildProgram()
  mkdirSync(join(program.workspace, 'd'))
  const odd = 'd/two\nlines'
  await haft(program, ['call', 'write_file', JSON.stringify({ path: odd, content: 'x' }), '--yes'])
  await haft(program, ['call', 'move_file', JSON.stringify({ from: odd, to: 'd/other\nname' }), '--yes'])
  const [call = ''] = await callsOf(program, 'move_file')
  const story = await haft(program, ['log', call])
  expect(story.stdout).toContain('d/other\\nname moved from d/two\\nlines')
  writeFileSync(join(program.workspace, odd), 'in the way')
  const refused = await haft(program, ['undo', call, '--yes'])
  expect(refused.stderr).toContain('- d/other\\nname cannot be moved back to d/two\\nlines')
  execFileSync('rm', [join(program.workspace, odd)])
  const undone = await haft(program, ['undo', call, '--yes'])
  expect(undone.stdout).toContain('moved d/other\\nname back to d/two\\nlines\n')
  const [undo = ''] = await callsOf(program, 'undo')
  expect((await haft(program, ['log', undo])).stdout).toContain('# moves d/other\\nname back to d/two\\nlines')
})
