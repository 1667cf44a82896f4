import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Tool } from '../../src/index.ts'
import { type BuiltProgram, buildProgram, haft } from '../support/built-program.ts'
import { exampleHost } from '../support/example-host.ts'
import { openRequest } from '../support/open-request.ts'
import { startWaiting } from '../support/waiting-call.ts'

test('an answer to what another call showed is not taken', async () => {
  const host = await exampleHost({ wait: true })
  const calls = ['a', 'b'].map((path) => host.call('write_note', { path, text: path }))
  await expect.poll(async () => (await host.approvals.list()).length, { interval: 5 }).toBe(2)
  const [one, other] = (await host.approvals.list()).map(({ request }) => request)
  if (!one || !other) throw new Error('two approval requests were expected')
  expect(one.digest).not.toBe(other.digest)
  const swapped = await host.approvals.answer(one.approval, { approved: true }, { digest: other.digest })
  expect(swapped).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(await host.approvals.answer(one.approval, { approved: true }, { digest: one.digest })).toMatchObject({
    ok: true,
  })
  await host.approvals.answer(other.approval, { approved: false })
  expect((await Promise.all(calls)).map(({ ok }) => ok).sort()).toEqual([false, true])
})

/** Changes a pending call after the process that asked has ended. */
async function tampered(program: BuiltProgram, sql: string): Promise<string> {
  const { id, kill } = await startWaiting(program, 'write_note', { path: 'a.txt', text: 'shown' })
  await kill()
  const database = new DatabaseSync(join(program.home, 'log.db'))
  expect(database.prepare(sql).run(id).changes).toBe(1)
  database.close()
  return id
}

test.for([
  ['other arguments', `UPDATE approvals SET input = '{"path":"evil.txt","text":"swapped"}' WHERE approval = ?`],
  ['another tool', `UPDATE approvals SET question = replace(question, 'write_note', 'fail_always') WHERE approval = ?`],
] as const)('%s swapped in behind an approved request do not run', async ([, sql]) => {
  const program = buildProgram()
  const id = await tampered(program, sql)
  const { code, stdout } = await haft(program, ['approvals', id, 'yes', '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ runs: 'here', result: { ok: false, code: 'CONFLICT' } })
  for (const file of ['a.txt', 'evil.txt']) expect(existsSync(join(program.workspace, file))).toBe(false)
})

test('a tool whose schema changed while the approval was pending does not run', async () => {
  const program = buildProgram()
  const { id, kill } = await startWaiting(program, 'write_note', { path: 'a.txt', text: 'shown' })
  await kill()
  const file = join(program.tools, 'write-note.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('What it says', 'What it should say'))
  const { stdout } = await haft(program, ['approvals', id, 'yes', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ runs: 'here', result: { ok: false, code: 'CONFLICT' } })
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('a list of pairs and an object are different calls: a grant for one does not cover the other', async () => {
  const tool: Tool = {
    name: 'set',
    description: 'Sets.',
    input: { type: 'object', properties: { to: { type: ['object', 'array'], description: 'What to' } } },
    effect: 'write',
    execute: () => 1,
  }
  const host = await exampleHost({ tools: [tool], wait: true })
  const calling = host.call('set', { to: { a: 1 } })
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true, grant: { scope: 'exact' } })
  await calling
  expect((await host.check('set', { to: { a: 1 } })).decision).toBe('allow')
  expect((await host.check('set', { to: [['a', 1]] })).decision).toBe('ask')
})
