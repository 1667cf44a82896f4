import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { buildHouse, type House, haft } from '../support/house.ts'
import { openRequests, startWaiting } from '../support/waiting-call.ts'

const NOTE = { path: 'a.txt', text: 'hi' }
const read = (house: House, file: string) => readFileSync(join(house.workspace, file), 'utf8')
const outcomeOf = async (house: House) => JSON.parse((await haft(house, ['log', '--json'])).stdout).calls[0]

test('S1.11 a call waits without a terminal; a second process sees the whole question and says yes', async () => {
  const house = buildHouse()
  const { id, open, ended } = await startWaiting(house, 'write_note', NOTE)
  expect(open.request).toMatchObject({
    tool: 'write_note',
    arguments: NOTE,
    effects: ['writes a.txt'],
    rule: 'effect write',
    reason: 'it changes files',
    preview: { kind: 'diff', text: '+hi' },
    workspace: house.workspace,
  })
  const shown = await haft(house, ['approvals', id])
  expect(shown.stdout).toContain('write_note wants to run: it changes files')
  const answer = await haft(house, ['approvals', id, 'yes'])
  expect(answer).toMatchObject({ code: 0, stdout: `${id}: answered yes. The process that asked continues the call.\n` })
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, data: { path: 'a.txt' } }])
  expect(read(house, 'a.txt')).toBe('hi')
  expect(await openRequests(house)).toEqual([])
  const again = await haft(house, ['approvals', id, 'no'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFLICT') })
})

test('S1.11 no with a reason from another process is DENIED, and nothing runs', async () => {
  const house = buildHouse()
  const { id, ended } = await startWaiting(house, 'write_note', NOTE)
  await haft(house, ['approvals', id.slice(0, 12), 'no', '--reason', 'not in this folder'])
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { ok: false, code: 'DENIED' }])
  expect(stdout).toContain('Denied by user: not in this folder')
  expect(existsSync(join(house.workspace, 'a.txt'))).toBe(false)
})

test('S1.11 changed arguments are what the log, the model and the effect show', async () => {
  const house = buildHouse()
  const { id, ended } = await startWaiting(house, 'write_note', NOTE)
  const wrong = await haft(house, ['approvals', id, 'edit', '--arguments', '{"path":"b.txt","txt":"mine"}'])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_ARGUMENTS') })
  await haft(house, ['approvals', id, 'edit', '--arguments', '{"path":"b.txt","text":"mine"}'])
  const { stdout } = await ended
  expect(JSON.parse(stdout).text).toContain(
    'A person changed the arguments; what ran: {"path":"b.txt","text":"mine"} (changed: path, text)',
  )
  expect(read(house, 'b.txt')).toBe('mine')
  expect(existsSync(join(house.workspace, 'a.txt'))).toBe(false)
  const line = await outcomeOf(house)
  expect(line).toMatchObject({ tool: 'write_note', arguments: '{"path":"b.txt","text":"mine"}', outcome: 'ok' })
  const story = (await haft(house, ['log', line.call])).stdout
  expect(story).toMatch(
    /answered yes \(haft approvals\), with edited arguments[\s\S]*run, allowed by person \(haft approvals\)[\s\S]*b\.txt/,
  )
})

test('changed arguments that a rule denies stay denied', async () => {
  const house = buildHouse()
  mkdirSync(house.home)
  writeFileSync(
    join(house.home, 'settings.toml'),
    '[[rules]]\nname = "not b"\ndecision = "deny"\npaths = ["b.txt"]\nreason = "b is private"\n',
  )
  const { id, ended } = await startWaiting(house, 'write_note', NOTE)
  await haft(house, ['approvals', id, 'edit', '--arguments', '{"path":"b.txt","text":"mine"}'])
  const { code, stdout } = await ended
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { ok: false, code: 'BLOCKED', details: { rule: 'not b' } }])
  expect(existsSync(join(house.workspace, 'b.txt'))).toBe(false)
})

test('kill -9 while a question waits: whoever answers runs the call, once, and prints the result', async () => {
  const house = buildHouse()
  const { id, kill } = await startWaiting(house, 'write_note', NOTE)
  await kill()
  expect((await openRequests(house)).map(({ request }) => request.approval)).toEqual([id])
  expect(await outcomeOf(house)).toMatchObject({ outcome: null })
  const answers = await Promise.all([1, 2, 3].map(() => haft(house, ['approvals', id, 'yes', '--json'])))
  const taken = answers.map(({ stdout }) => JSON.parse(stdout))
  expect(taken.filter(({ ok }) => ok)).toMatchObject([{ runs: 'here', result: { ok: true, data: { path: 'a.txt' } } }])
  expect(read(house, 'a.txt')).toBe('hi')
  const { call, outcome } = await outcomeOf(house)
  expect(outcome).toBe('ok')
  const events = JSON.parse((await haft(house, ['log', call, '--json'])).stdout)
  expect(JSON.stringify(events).match(/"type":"call-run"/g)).toHaveLength(1)
})

test('kill -9 while a call with steps waits: the process that takes it over runs all stages, and a file that changed since is a CONFLICT', async () => {
  const house = buildHouse()
  const edit = { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] }
  for (const [content, code] of [
    ['one', undefined],
    ['one and more', 'CONFLICT'],
  ] as const) {
    writeFileSync(join(house.workspace, 'a.txt'), 'one')
    const { id, kill } = await startWaiting(house, 'edit_file', edit)
    await kill()
    writeFileSync(join(house.workspace, 'a.txt'), content)
    const { result } = JSON.parse((await haft(house, ['approvals', id, 'yes', '--json'])).stdout)
    expect(result.code).toBe(code)
    expect(read(house, 'a.txt')).toBe(code === undefined ? 'two' : content)
  }
})

test('kill -9 and a no from elsewhere ends the call as DENIED; from another folder, the call runs in its own', async () => {
  const house = buildHouse()
  const first = await startWaiting(house, 'write_note', NOTE)
  await first.kill()
  expect(await haft(house, ['approvals', first.id, 'no'])).toMatchObject({ code: 0 })
  expect(await outcomeOf(house)).toMatchObject({ outcome: 'DENIED' })
  const second = await startWaiting(house, 'write_note', NOTE)
  await second.kill()
  const elsewhere = join(house.workspace, 'elsewhere')
  mkdirSync(elsewhere)
  const yes = await haft(house, ['approvals', second.id, 'yes'], { env: { HAFT_WORKSPACE: elsewhere } })
  expect(yes).toMatchObject({ code: 0 })
  expect(read(house, 'a.txt')).toBe('hi')
})

test('a yes whose giver died before the call ran: a no is too late, another yes carries it out', async () => {
  const house = buildHouse()
  const { id, kill } = await startWaiting(house, 'write_note', NOTE)
  await kill()
  const store = openSqliteStorage({ path: join(house.home, 'log.db') })
  expect(await store.approvals.answer(id, { reply: { approved: true }, by: 'somebody', at: Date.now() })).toBeDefined()
  store.close()
  expect((await haft(house, ['approvals'])).stdout).toContain('answered, has not run yet')
  expect(await haft(house, ['approvals', id, 'no'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('answered already: yes, by somebody'),
  })
  expect(await haft(house, ['approvals', id, 'yes'])).toMatchObject({ code: 0 })
  expect(read(house, 'a.txt')).toBe('hi')
})

test('nobody answers in time: DENIED, with the asker alive and with the asker gone', async () => {
  const house = buildHouse()
  mkdirSync(house.home)
  const settings = join(house.home, 'settings.toml')
  writeFileSync(settings, '[approvals]\nexpire_minutes = 0.002\n')
  const alive = await haft(house, ['call', 'write_note', JSON.stringify(NOTE), '--wait'])
  expect(alive.code).toBe(3)
  expect(alive.stderr).toContain('DENIED')
  expect(alive.stderr).toContain('nobody answered')
  writeFileSync(settings, '[approvals]\nexpire_minutes = 0.1\n')
  const { kill, id } = await startWaiting(house, 'write_note', NOTE)
  await kill()
  await expect.poll(async () => (await outcomeOf(house)).outcome, { timeout: 20_000, interval: 200 }).toBe('DENIED')
  expect(await haft(house, ['approvals', id, 'yes'])).toMatchObject({ code: 1 })
  expect(existsSync(join(house.workspace, 'a.txt'))).toBe(false)
})

test('secrets are masked where people and logs look, kept where an edit leaves them, and whole in what runs', async () => {
  const house = buildHouse()
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const { id, open, ended } = await startWaiting(house, 'write_note', { path: 'a.txt', text: `token ${secret} end` })
  expect(JSON.stringify(open)).not.toContain(secret)
  expect(open.request.arguments.text).toMatch(/^token \[masked [0-9a-f]{4}\] end$/)
  const changed = JSON.stringify({ path: 'b.txt', text: `now ${open.request.arguments.text}` })
  await haft(house, ['approvals', id, 'edit', '--arguments', changed])
  expect((await ended).code).toBe(0)
  expect(read(house, 'b.txt')).toBe(`now token ${secret} end`)
  const { call } = await outcomeOf(house)
  expect((await haft(house, ['log', call, '--json'])).stdout).not.toContain(secret)
  const database = new DatabaseSync(join(house.home, 'log.db'), { readOnly: true })
  expect(database.prepare('SELECT * FROM approvals').all()).toEqual([])
  database.close()
})

test('Ctrl-C on a call that waits cancels it and takes its question away', async () => {
  const house = buildHouse()
  const args = ['call', 'write_note', JSON.stringify(NOTE), '--wait']
  const ended = await haft(house, args, { onStderr: (text, kill) => /haft approvals/.test(text) && kill('SIGINT') })
  expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining('CANCELLED') })
  expect(await openRequests(house)).toEqual([])
})
