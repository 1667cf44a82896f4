import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { openRequests, startWaiting } from '../../support/waiting-call.ts'

const NOTE = { path: 'a.txt', text: 'hi' }
const read = (program: BuiltProgram, file: string) => readFileSync(join(program.workspace, file), 'utf8')
const outcomeOf = async (program: BuiltProgram) => JSON.parse((await haft(program, ['log', '--json'])).stdout).calls[0]

test('S1.11 a call waits without a terminal; a second process sees the full request and approves it', async () => {
  const program = buildProgram()
  const { id, open, ended } = await startWaiting(program, 'write_note', NOTE)
  expect(open).toMatchObject({
    tool: 'write_note',
    arguments: NOTE,
    effects: ['writes a.txt'],
    rule: 'effect write',
    reason: 'it changes files',
    preview: { kind: 'diff', text: '+hi' },
    workspace: program.workspace,
  })
  const shown = await haft(program, ['approvals', id])
  expect(shown.stdout).toContain('write_note wants to run: it changes files')
  const answer = await haft(program, ['approvals', id, 'yes'])
  expect(answer).toMatchObject({ code: 0, stdout: `${id}: answered yes. The process that asked continues the call.\n` })
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, data: { path: 'a.txt' } }])
  expect(read(program, 'a.txt')).toBe('hi')
  expect(await openRequests(program)).toEqual([])
  const again = await haft(program, ['approvals', id, 'no'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFLICT') })
})

test('S1.11 no with a reason from another process is DENIED, and nothing runs', async () => {
  const program = buildProgram()
  const { id, ended } = await startWaiting(program, 'write_note', NOTE)
  await haft(program, ['approvals', id.slice(0, 12), 'no', '--reason', 'not in this folder'])
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { ok: false, code: 'DENIED' }])
  expect(stdout).toContain('Denied by user: not in this folder')
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('S1.11 changed arguments are what the log, the model and the effect show', async () => {
  const program = buildProgram()
  const { id, ended } = await startWaiting(program, 'write_note', NOTE)
  const wrong = await haft(program, ['approvals', id, 'edit', '--arguments', '{"path":"b.txt","txt":"mine"}'])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_ARGUMENTS') })
  await haft(program, ['approvals', id, 'edit', '--arguments', '{"path":"b.txt","text":"mine"}'])
  const { stdout } = await ended
  expect(JSON.parse(stdout).text).toContain(
    'A person changed the arguments; what ran: {"path":"b.txt","text":"mine"} (changed: path, text)',
  )
  expect(read(program, 'b.txt')).toBe('mine')
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
  const line = await outcomeOf(program)
  expect(line).toMatchObject({ tool: 'write_note', arguments: '{"path":"b.txt","text":"mine"}', outcome: 'ok' })
  const story = (await haft(program, ['log', line.call])).stdout
  expect(story).toMatch(
    /answered yes \(haft approvals\), with edited arguments[\s\S]*run, allowed by person \(haft approvals\)[\s\S]*b\.txt/,
  )
})

test('arguments that an answer repeats unchanged, in whatever order, are a plain yes: neither the model nor the log is given a change', async () => {
  const program = buildProgram()
  const { id, ended } = await startWaiting(program, 'write_note', NOTE)
  await haft(program, ['approvals', id, 'edit', '--arguments', '{"text":"hi","path":"a.txt"}'])
  expect(JSON.parse((await ended).stdout).text).not.toContain('A person changed')
  expect(read(program, 'a.txt')).toBe('hi')
  const story = (await haft(program, ['log', (await outcomeOf(program)).call])).stdout
  expect(story).toContain('answered yes (haft approvals)')
  expect(story).not.toContain('edited')
})

test('changed arguments that a rule denies stay denied', async () => {
  const program = buildProgram()
  mkdirSync(program.home)
  writeFileSync(
    join(program.home, 'settings.toml'),
    '[[rules]]\nname = "not b"\ndecision = "deny"\npaths = ["b.txt"]\nreason = "b is private"\n',
  )
  const { id, ended } = await startWaiting(program, 'write_note', NOTE)
  await haft(program, ['approvals', id, 'edit', '--arguments', '{"path":"b.txt","text":"mine"}'])
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { ok: false, code: 'BLOCKED', details: { rule: 'not b' } }])
  expect(existsSync(join(program.workspace, 'b.txt'))).toBe(false)
})

test('kill -9 while a request waits: the process that answers runs the call, once, and prints the result', async () => {
  const program = buildProgram()
  const { id, kill } = await startWaiting(program, 'write_note', NOTE)
  await kill()
  expect((await openRequests(program)).map(({ id: one }) => one)).toEqual([id])
  expect(await outcomeOf(program)).toMatchObject({ outcome: null })
  const answers = await Promise.all([1, 2, 3].map(() => haft(program, ['approvals', id, 'yes', '--json'])))
  const taken = answers.map(({ stdout }) => JSON.parse(stdout))
  expect(taken.filter(({ ok }) => ok)).toMatchObject([{ runs: 'here', result: { ok: true, data: { path: 'a.txt' } } }])
  expect(read(program, 'a.txt')).toBe('hi')
  const { call, outcome } = await outcomeOf(program)
  expect(outcome).toBe('ok')
  const events = JSON.parse((await haft(program, ['log', call, '--json'])).stdout)
  expect(JSON.stringify(events).match(/"type":"call-run"/g)).toHaveLength(1)
})

test('kill -9 while a call with steps waits: the process that takes it over runs all stages, and a file that changed since is a CONFLICT', async () => {
  const program = buildProgram()
  const edit = { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] }
  for (const [content, code] of [
    ['one', undefined],
    ['one and more', 'CONFLICT'],
  ] as const) {
    writeFileSync(join(program.workspace, 'a.txt'), 'one')
    const { id, kill } = await startWaiting(program, 'edit_file', edit)
    await kill()
    writeFileSync(join(program.workspace, 'a.txt'), content)
    const { result } = JSON.parse((await haft(program, ['approvals', id, 'yes', '--json'])).stdout)
    expect(result.code).toBe(code)
    expect(read(program, 'a.txt')).toBe(code === undefined ? 'two' : content)
  }
})

test('kill -9 and a no from elsewhere ends the call as DENIED; from another folder, the call runs in its own', async () => {
  const program = buildProgram()
  const first = await startWaiting(program, 'write_note', NOTE)
  await first.kill()
  expect(await haft(program, ['approvals', first.id, 'no'])).toMatchObject({ code: 0 })
  expect(await outcomeOf(program)).toMatchObject({ outcome: 'DENIED' })
  const second = await startWaiting(program, 'write_note', NOTE)
  await second.kill()
  const elsewhere = join(program.workspace, 'elsewhere')
  mkdirSync(elsewhere)
  const yes = await haft(program, ['approvals', second.id, 'yes'], { env: { HAFT_WORKSPACE: elsewhere } })
  expect(yes).toMatchObject({ code: 0 })
  expect(read(program, 'a.txt')).toBe('hi')
})

test('an approval whose process died before the call ran: a no is too late, another yes runs the call', async () => {
  const program = buildProgram()
  const { id, kill } = await startWaiting(program, 'write_note', NOTE)
  await kill()
  const store = openSqliteStorage({ path: join(program.home, 'log.db') })
  expect(await store.approvals.answer(id, { reply: { approved: true }, by: 'somebody', at: Date.now() })).toBeDefined()
  store.close()
  expect((await haft(program, ['approvals'])).stdout).toContain('answered, has not run yet')
  expect(await haft(program, ['approvals', id, 'no'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('answered already: yes, by somebody'),
  })
  expect(await haft(program, ['approvals', id, 'yes'])).toMatchObject({ code: 0 })
  expect(read(program, 'a.txt')).toBe('hi')
})

test('nobody answers in time: DENIED, whether the process that asked is alive or dead', async () => {
  const program = buildProgram()
  mkdirSync(program.home)
  const settings = join(program.home, 'settings.toml')
  writeFileSync(settings, '[approvals]\nexpire_minutes = 0.002\n')
  const alive = await haft(program, ['call', 'write_note', JSON.stringify(NOTE), '--wait'])
  expect(alive.code).toBe(3)
  expect(alive.stderr).toContain('DENIED')
  expect(alive.stderr).toContain('nobody answered')
  writeFileSync(settings, '[approvals]\nexpire_minutes = 0.1\n')
  const { kill, id } = await startWaiting(program, 'write_note', NOTE)
  await kill()
  await expect.poll(async () => (await outcomeOf(program)).outcome, { timeout: 20_000, interval: 200 }).toBe('DENIED')
  expect(await haft(program, ['approvals', id, 'yes'])).toMatchObject({ code: 1 })
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('secrets are masked for people and in logs, survive an edit, and are complete in what runs', async () => {
  const program = buildProgram()
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const { id, open, ended } = await startWaiting(program, 'write_note', { path: 'a.txt', text: `token ${secret} end` })
  expect(JSON.stringify(open)).not.toContain(secret)
  expect(open.arguments.text).toMatch(/^token \[masked [0-9a-f]{4}\] end$/)
  const changed = JSON.stringify({ path: 'b.txt', text: `now ${open.arguments.text}` })
  await haft(program, ['approvals', id, 'edit', '--arguments', changed])
  expect((await ended).code).toBe(0)
  expect(read(program, 'b.txt')).toBe(`now token ${secret} end`)
  const { call } = await outcomeOf(program)
  expect((await haft(program, ['log', call, '--json'])).stdout).not.toContain(secret)
  const database = new DatabaseSync(join(program.home, 'log.db'), { readOnly: true })
  expect(database.prepare('SELECT * FROM approvals').all()).toEqual([])
  database.close()
})

test('Ctrl-C on a call that waits cancels it and removes its request', async () => {
  const program = buildProgram()
  const args = ['call', 'write_note', JSON.stringify(NOTE), '--wait']
  const ended = await haft(program, args, { onStderr: (text, kill) => /haft approvals/.test(text) && kill('SIGINT') })
  expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining('CANCELLED') })
  expect(await openRequests(program)).toEqual([])
})
