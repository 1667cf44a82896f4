import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CallSummary } from '../../../src/core/approval/call-summary.ts'
import { exampleHost } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'

const ASK = { name: 'ask', decision: 'ask', tools: ['*'] } as const

/** What a person is shown of a call in a workspace with `old.txt`, `two.txt` and the folder `build`. */
async function summaryOf(tool: string, args: object): Promise<CallSummary> {
  const host = await exampleHost({ wait: true, rules: [ASK] })
  writeFileSync(join(host.workspace, 'old.txt'), 'one\ntwo\nthree\n')
  writeFileSync(join(host.workspace, 'two.txt'), '2')
  mkdirSync(join(host.workspace, 'build'))
  writeFileSync(join(host.workspace, 'build/out.js'), 'x')
  const calling = host.call(tool, args)
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: false })
  await calling
  if (request.summary === undefined) throw new Error('the request has no summary')
  return request.summary
}

test.for([
  ['write_file', { path: 'new.txt', content: 'x' }, 'Create `new.txt`'],
  ['edit_file', { path: 'old.txt', edits: [{ old: 'two', new: '2' }] }, 'Change 1 line in `old.txt`'],
  ['delete_file', { path: 'old.txt' }, 'Delete `old.txt`'],
  ['delete_file', { path: 'build', recursive: true }, 'Delete the folder `build/`'],
  ['move_file', { from: 'old.txt', to: 'two.txt', overwrite: true }, 'Move `old.txt` over `two.txt`'],
  ['move_file', { from: 'old.txt', to: 'three.txt' }, 'Move `old.txt` to `three.txt`'],
  ['shell', { command: 'ls' }, 'Run `ls`'],
  ['shell', { command: 'rm -rf build && ls' }, 'Delete the folder `build/`, then run `ls`'],
  ['shell', { command: 'eval "$X"' }, 'Run a command that Haft cannot read in full'],
] as const)('S1.11 an approval says in one sentence what would happen: %s %j', async ([tool, args, sentence]) => {
  expect((await summaryOf(tool, args)).sentence).toBe(sentence)
})

test('S1.11 the rows name what a command deletes, runs and reaches, and whether it can be undone', async () => {
  const { rows, commands, canUndo } = await summaryOf('shell', { command: 'rm old.txt; echo hi > new.txt' })
  expect(rows).toContainEqual({ kind: 'deletes', text: 'old.txt', tone: 'bad' })
  expect(rows).toContainEqual({ kind: 'creates', text: 'new.txt' })
  expect(rows).toContainEqual({ kind: 'network', text: 'none, the sandbox is closed', tone: 'quiet' })
  expect(rows.at(-1)).toMatchObject({ kind: 'undo', tone: 'quiet' })
  expect(commands.map(({ text }) => text)).toEqual(['rm old.txt', 'echo hi'])
  expect(canUndo).toBe(true)
})

test('S1.11 what cannot be undone is marked: a live command, a push', async () => {
  const live = await summaryOf('shell', { command: 'npm run dev', live: true })
  expect(live.rows.at(-1)).toMatchObject({ kind: 'undo', tone: 'bad' })
  const push = await summaryOf('shell', { command: 'git push origin main' })
  expect(push.canUndo).toBe(false)
  expect(push.rows).toContainEqual(expect.objectContaining({ kind: 'sends', tone: 'bad' }))
})

test('S1.11 a backtick in a path or command cannot end the literal part of the sentence', async () => {
  const { sentence } = await summaryOf('write_file', { path: 'a`b', content: '' })
  expect(sentence).toBe('Create `aˋb`')
})
