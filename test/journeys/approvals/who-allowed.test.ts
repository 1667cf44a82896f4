import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../../src/index.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'
import { openTerminal } from '../../support/terminal.ts'
import { startWaiting } from '../../support/waiting-call.ts'

const NOTE = { path: 'a.txt', text: 'hello' }

/** Returns who allowed the last call, according to the log. */
async function lastAllowed(program: BuiltProgram): Promise<unknown> {
  const { stdout } = await haft(program, ['log', '--limit', '1', '--json'])
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
  const program = buildProgram()
  await haft(program, ['call', 'write_note', JSON.stringify(NOTE), '--yes'])
  expect(await lastAllowed(program)).toBe('--yes')
  const { calls } = JSON.parse((await haft(program, ['log', '--json'])).stdout)
  const { stdout } = await haft(program, ['log', calls[0].call])
  expect(stdout).toMatch(/answered yes \(--yes\)/)
  expect(stdout).toMatch(/run, allowed by --yes/)
  expect(stdout).not.toContain('person')
})

test('the log says through which interface a person allowed a call: this terminal, or haft approvals', async () => {
  const program = buildProgram()
  const env = { HAFT_HOME: program.home }
  const args = ['call', 'write_note', JSON.stringify(NOTE)]
  const terminal = openTerminal([process.execPath, program.main, ...args], { cwd: program.workspace, env })
  await terminal.waitFor(/›/)
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(await lastAllowed(program)).toBe('person (terminal)')
  const waiting = await startWaiting(program, 'write_note', NOTE)
  await haft(program, ['approvals', waiting.id, 'yes'])
  await waiting.ended
  expect(await lastAllowed(program)).toBe('person (haft approvals)')
})

test('the log says who allowed a call whose asker was killed', async () => {
  const program = buildProgram()
  const waiting = await startWaiting(program, 'write_note', NOTE)
  await waiting.kill()
  await haft(program, ['approvals', waiting.id, 'yes'])
  expect(await lastAllowed(program)).toBe('person (haft approvals)')
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
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'a.txt'), 'old')
  await haft(program, ['call', 'write_file', '{"path":"a.txt","content":"new"}', '--yes'])
  await haft(program, ['call', 'read_file', '{"path":"a.txt"}'])
  const terminal = openTerminal([process.execPath, program.main, 'log'], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
    columns,
  })
  const screen = await terminal.waitFor(/exit=0/)
  expect([screen.includes('by --yes'), screen.includes('by default')]).toEqual([isShown, isShown])
  expect(screen.split('\n').filter((line) => line.length > columns)).toEqual([])
})
