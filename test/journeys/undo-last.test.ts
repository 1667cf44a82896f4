import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../../src/app/create-host.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'
import { buildHouse, type House, haft } from '../support/house.ts'
import { openTerminal } from '../support/terminal.ts'

const allow = { decision: 'allow' } as const

/** The ids of the calls of a tool, the newest first. */
async function callsOf(house: House, tool: string): Promise<string[]> {
  const { stdout } = await haft(house, ['log', '--tool', tool, '--json'])
  return JSON.parse(stdout).calls.map(({ call }: { call: string }) => call)
}

const write = (house: House, content: string) =>
  haft(house, ['call', 'write_file', JSON.stringify({ path: 'a.txt', content }), '--yes'])

const read = (house: House) => readFileSync(join(house.workspace, 'a.txt'), 'utf8')

/** A house in which the last change cannot be undone, and the one before it can. */
async function houseWithUnkept(): Promise<{ house: House; older: string; newer: string }> {
  const house = buildHouse()
  await write(house, 'one')
  await write(house, 'two')
  await haft(house, ['call', 'write_note', '{"path":"n.txt","text":"by itself"}', '--yes'])
  const [older = ''] = await callsOf(house, 'write_file')
  const [newer = ''] = await callsOf(house, 'write_note')
  return { house, older, newer }
}

test('haft undo restores no older change in place of one that cannot be undone, with nobody to ask: it names both', async () => {
  const { house, older, newer } = await houseWithUnkept()
  const ended = await haft(house, ['undo'])
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(ended.stderr).toMatch(
    new RegExp(`^DENIED [\\s\\S]*- ${newer} \\(.*write_note .*\\): write_note changes files by means`),
  )
  expect(ended.stderr).toContain(`haft undo ${older}\n`)
  expect(read(house)).toBe('two')
  const json = JSON.parse((await haft(house, ['undo', '--json'])).stdout)
  expect(json).toMatchObject({ ok: false, code: 'DENIED', details: { older, skipped: [{ call: newer }] } })
  expect(await haft(house, ['undo', older, '--yes'])).toMatchObject({ code: 0, stderr: '' })
  expect(read(house)).toBe('one')
})

test('haft undo --yes undoes the older change and names what it skips', async () => {
  const { house, newer } = await houseWithUnkept()
  const ended = await haft(house, ['undo', '--yes'])
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('restored a.txt') })
  expect(ended.stderr).toMatch(new RegExp(`cannot be undone[\\s\\S]*${newer}[\\s\\S]*write_note`))
  expect(read(house)).toBe('one')
})

test('at a terminal haft undo names what it skips, and asks before it turns to an older change', async () => {
  const { house, older, newer } = await houseWithUnkept()
  const open = () =>
    openTerminal([process.execPath, house.main, 'undo'], { cwd: house.workspace, env: { HAFT_HOME: house.home } })
  const first = open()
  const screen = await first.waitFor(/Undo the older change instead\?[\s\S]*›/)
  expect(screen).toContain(newer)
  expect(screen).toContain(older)
  first.press('n', 'Enter')
  await first.waitFor(/exit=3/)
  expect(read(house)).toBe('two')
  const second = open()
  await second.waitFor(/Undo the older change instead\?[\s\S]*›/)
  second.press('y', 'Enter')
  await second.waitFor(/undo wants to run[\s\S]*›/)
  second.press('y', 'Enter')
  await second.waitFor(/exit=0/)
  expect(read(house)).toBe('one')
})

test('where nothing was kept of any change haft undo says which, and why', async () => {
  const house = buildHouse()
  await haft(house, ['call', 'write_note', '{"path":"n.txt","text":"by itself"}', '--yes'])
  const [newer] = await callsOf(house, 'write_note')
  const ended = await haft(house, ['undo', '--yes'])
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
  expect(status).toMatchObject({ ok: true, data: { changed: { changed: ['.git/index'] } } })
  const [refresh] = await host.log.calls({ tool: 'shell', limit: 1 })
  expect(host.replacedBy(refresh?.call ?? '').map(({ path }) => path)).toEqual(['.git/index'])
  expect(await host.lastChange()).toMatchObject({ change: { tool: 'write_file' }, skipped: [] })
  expect(await host.undo(await host.undoable(), allow)).toMatchObject({ ok: true })
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
  await host.close()
})

test('of several haft undo at the same time one does it, and the others say that it is being or was undone', async () => {
  const house = buildHouse()
  for (const content of ['one', 'two', 'three']) await write(house, content)
  const [last] = await callsOf(house, 'write_file')
  const ended = await Promise.all(Array.from({ length: 5 }, () => haft(house, ['undo', '--yes'])))
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1, 1])
  for (const { stderr } of ended.filter(({ code }) => code !== 0))
    expect(stderr).toMatch(
      new RegExp(
        `CONFLICT ${last} (is being undone|was already undone|was undone meanwhile,) by c_|CONFLICT ${last} was just undone by c_`,
      ),
    )
  expect(read(house)).toBe('two')
  expect(await haft(house, ['undo', '--yes'])).toMatchObject({ code: 0 })
  expect(read(house)).toBe('one')
})

test('of several haft undo of one id at the same time one does it', async () => {
  const house = buildHouse()
  const change = 'mkdir d; for i in $(seq 200); do echo $i > d/$i; done'
  await haft(house, ['call', 'run_code', JSON.stringify({ language: 'bash', code: change })])
  const [call = ''] = await callsOf(house, 'run_code')
  const ended = await Promise.all(Array.from({ length: 4 }, () => haft(house, ['undo', call, '--yes'])))
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1])
  for (const { stderr } of ended.filter(({ code }) => code !== 0))
    expect(stderr).toMatch(/is being undone|was already undone/)
  expect(existsSync(join(house.workspace, 'd'))).toBe(false)
})

test('a call that was undone is not undone again, until that undo is undone', async () => {
  const house = buildHouse()
  await write(house, 'one')
  await write(house, 'two')
  const [call = ''] = await callsOf(house, 'write_file')
  await haft(house, ['undo', call, '--yes'])
  const [undo = ''] = await callsOf(house, 'undo')
  const again = await haft(house, ['undo', call, '--yes'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`${call} was already undone by ${undo}`) })
  await haft(house, ['undo', undo, '--yes'])
  expect(read(house)).toBe('two')
  expect(await haft(house, ['undo', call, '--yes'])).toMatchObject({ code: 0 })
  expect(read(house)).toBe('one')
})

test('an undo that was refused names its call, and leaves it to the next one', async () => {
  const house = buildHouse()
  await write(house, 'one')
  await write(house, 'two')
  const [call = ''] = await callsOf(house, 'write_file')
  writeFileSync(join(house.workspace, 'a.txt'), 'newer')
  expect(await haft(house, ['undo', call, '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`${call} cannot be undone, and nothing was changed:\\n- a.txt was changed since then`),
    ),
  })
  writeFileSync(join(house.workspace, 'a.txt'), 'two')
  expect(await haft(house, ['undo', call, '--yes'])).toMatchObject({ code: 0 })
})

test('a newline in a file’s name breaks no line of haft undo and haft log', async () => {
  const house = buildHouse()
  mkdirSync(join(house.workspace, 'd'))
  const odd = 'd/two\nlines'
  await haft(house, ['call', 'write_file', JSON.stringify({ path: odd, content: 'x' }), '--yes'])
  await haft(house, ['call', 'move_file', JSON.stringify({ from: odd, to: 'd/other\nname' }), '--yes'])
  const [call = ''] = await callsOf(house, 'move_file')
  const story = await haft(house, ['log', call])
  expect(story.stdout).toContain('d/other\\nname moved from d/two\\nlines')
  writeFileSync(join(house.workspace, odd), 'in the way')
  const refused = await haft(house, ['undo', call, '--yes'])
  expect(refused.stderr).toContain('- d/other\\nname cannot be moved back to d/two\\nlines')
  execFileSync('rm', [join(house.workspace, odd)])
  const undone = await haft(house, ['undo', call, '--yes'])
  expect(undone.stdout).toContain('moved d/other\\nname back to d/two\\nlines\n')
  const [undo = ''] = await callsOf(house, 'undo')
  expect((await haft(house, ['log', undo])).stdout).toContain('# moves d/other\\nname back to d/two\\nlines')
})
