import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'
import { buildHouse, type House, haft } from '../support/house.ts'
import { openRequest } from '../support/open-question.ts'
import { openTerminal } from '../support/terminal.ts'
import { startWaiting } from '../support/waiting-call.ts'

const NOTE = { path: 'a.txt', text: 'hello' }

/** Who the log says allowed the last call. */
async function lastAllowed(house: House): Promise<unknown> {
  const { stdout } = await haft(house, ['log', '--limit', '1', '--json'])
  return JSON.parse(stdout).calls[0].clearedBy
}

/** The same of a host, in the list and in the event. */
async function allowedIn(host: Host): Promise<unknown> {
  const [record] = await host.log.calls({ limit: 1 })
  const run = (await host.log.read({ call: record?.call ?? '' })).find(({ type }) => type === 'call-run')
  expect(run?.type === 'call-run' ? run.clearedBy : null).toBe(record?.clearedBy)
  return record?.clearedBy
}

test('the log says that --yes allowed a call, not a person', async () => {
  const house = buildHouse()
  await haft(house, ['call', 'write_note', JSON.stringify(NOTE), '--yes'])
  expect(await lastAllowed(house)).toBe('--yes')
  const { calls } = JSON.parse((await haft(house, ['log', '--json'])).stdout)
  const { stdout } = await haft(house, ['log', calls[0].call])
  expect(stdout).toMatch(/answered yes \(--yes\)/)
  expect(stdout).toMatch(/run, allowed by --yes/)
  expect(stdout).not.toContain('person')
})

test('the log says by which door a person allowed a call: this terminal, or haft approvals', async () => {
  const house = buildHouse()
  const env = { HAFT_HOME: house.home }
  const args = ['call', 'write_note', JSON.stringify(NOTE)]
  const terminal = openTerminal([process.execPath, house.main, ...args], { cwd: house.workspace, env })
  await terminal.waitFor(/›/)
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(await lastAllowed(house)).toBe('person (terminal)')
  const waiting = await startWaiting(house, 'write_note', NOTE)
  await haft(house, ['approvals', waiting.id, 'yes'])
  await waiting.ended
  expect(await lastAllowed(house)).toBe('person (haft approvals)')
})

test('the log says who allowed a call whose asker was killed', async () => {
  const house = buildHouse()
  const waiting = await startWaiting(house, 'write_note', NOTE)
  await waiting.kill()
  await haft(house, ['approvals', waiting.id, 'yes'])
  expect(await lastAllowed(house)).toBe('person (haft approvals)')
})

test('the log says which rule, which grant or which default allowed a call', async () => {
  const rule = { name: 'notes_are_fine', decision: 'allow', tools: ['write_note'], paths: ['fine.txt'] } as const
  const host = await exampleHost({ rules: [rule], wait: true })
  await host.call('add_numbers', { a: 1, b: 2 })
  expect(await allowedIn(host)).toBe('default (effect none)')
  await host.call('run_code', { language: 'bash', code: 'true' })
  expect(await allowedIn(host)).toMatch(/^(rule \w+|tool approval)$/)
  await host.call('write_note', { ...NOTE, path: 'fine.txt' })
  expect(await allowedIn(host)).toBe('rule notes_are_fine')
  const calling = host.call('write_note', NOTE)
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true, grant: { scope: 'exact' } }, { by: 'web' })
  await calling
  expect(await allowedIn(host)).toBe('person (web)')
  await host.call('write_note', NOTE)
  expect(await allowedIn(host)).toBe(`grant ${(await host.approvals.grants())[0]?.id}`)
})

test('the log says that a program allowed a call by its own decision, its answer or its approver', async () => {
  const host = await exampleHost({ wait: true })
  await host.call('write_note', NOTE, { decision: 'allow' })
  expect(await allowedIn(host)).toBe('program')
  await host.call('write_note', NOTE, { decision: { approved: true, modifiedArgs: { ...NOTE, text: 'other' } } })
  expect(await allowedIn(host)).toBe('program')
  await host.call('write_note', NOTE, { decision: 'allow', by: 'nightly job' })
  expect(await allowedIn(host)).toBe('nightly job')
  const calling = host.call('write_note', NOTE)
  await host.approvals.answer((await openRequest(host)).request.approval, { approved: true })
  await calling
  expect(await allowedIn(host)).toBe('program')
  const ask = async () => ({ approved: true }) as const
  const asked = await exampleHost({ approver: { ask } })
  await asked.call('write_note', NOTE)
  expect(await allowedIn(asked)).toBe('approver')
  const named = await exampleHost({ approver: { ask, name: 'desktop app' } })
  await named.call('write_note', NOTE)
  expect(await allowedIn(named)).toBe('person (desktop app)')
})

test('a call that was not allowed names nobody who did', async () => {
  const host = await exampleHost()
  await host.call('write_note', NOTE)
  expect(await host.log.calls({ limit: 1 })).toMatchObject([{ outcome: 'DENIED', clearedBy: null }])
})

test.for([
  [40, false],
  [80, true],
  [160, true],
] as const)('in %i columns haft log names who allowed each call where it fits', async ([columns, isShown]) => {
  const house = buildHouse()
  writeFileSync(join(house.workspace, 'a.txt'), 'old')
  await haft(house, ['call', 'write_file', '{"path":"a.txt","content":"new"}', '--yes'])
  await haft(house, ['call', 'read_file', '{"path":"a.txt"}'])
  const terminal = openTerminal([process.execPath, house.main, 'log'], {
    cwd: house.workspace,
    env: { HAFT_HOME: house.home },
    columns,
  })
  const screen = await terminal.waitFor(/exit=0/)
  expect([screen.includes('by --yes'), screen.includes('by default')]).toEqual([isShown, isShown])
  expect(screen.split('\n').filter((line) => line.length > columns)).toEqual([])
})
