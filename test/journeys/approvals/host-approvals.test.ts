import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Event } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'

test('two hosts share the approval requests of one home: one asks, the other is notified, answers, and the first runs the call', async () => {
  const home = temporaryFolder()
  const workspace = temporaryFolder()
  const asking = await exampleHost({ home, workspace, wait: true })
  const face = await exampleHost({ home, workspace })
  const heard: string[] = []
  onTestFinished(
    face.approvals.on({
      asked: ({ request }) => void heard.push(`asked ${request.tool}`),
      answered: () => void heard.push('answered'),
    }),
  )
  const events: Event[] = []
  asking.on((event) => void events.push(event))
  const calling = asking.call('write_note', { path: 'a.txt', text: 'hi' })
  await expect.poll(() => heard).toEqual(['asked write_note'])
  const { request } = await openRequest(face)
  const waiting = face.approvals.wait(request.approval)
  expect(await face.approvals.answer(request.approval, { approved: true }, { by: 'the page' })).toEqual({
    ok: true,
    runs: 'asker',
  })
  expect(await waiting).toEqual({ approved: true })
  expect(await calling).toMatchObject({ ok: true })
  await expect.poll(() => heard).toEqual(['asked write_note', 'answered'])
  expect(events.filter(({ type }) => type.startsWith('approval-'))).toMatchObject([
    { type: 'approval-request', approval: request.approval, reason: 'it changes files', preview: { text: '+hi' } },
    { type: 'approval-answer', approval: request.approval, reply: { approved: true }, by: 'the page' },
  ])
  expect(await face.approvals.wait(request.approval)).toBeUndefined()
})

test.for([
  ['overwriting', 'write_file', { path: 'old.txt', content: 'x' }, ['changes old.txt, which exists']],
  ['the network', 'connect_host', { host: 'api.example.com' }, ['reaches the network: api.example.com']],
  ['more rights', 'shell', { command: 'sudo ls' }, ['needs more rights than you have given it']],
  ['an ordinary new file', 'write_note', { path: 'new.txt', text: '' }, []],
] as const)('an approval request says what is unusual: %s', async ([, tool, args, unusual]) => {
  const host = await exampleHost({ wait: true })
  writeFileSync(join(host.workspace, 'old.txt'), 'old')
  const calling = host.call(tool, args)
  const { request } = await openRequest(host)
  expect(request.unusual).toEqual(unusual)
  await host.approvals.answer(request.approval, { approved: false })
  await calling
})

test('an approval request says that a command leaves the workspace, and that part of it is known only when it runs', async () => {
  const host = await exampleHost({ wait: true, rules: [{ name: 'ask', decision: 'ask', tools: ['shell'] }] })
  const calling = host.call('shell', { command: 'cp notes.txt /tmp/elsewhere.txt; cat "$X"' })
  const { request } = await openRequest(host)
  expect(request.unusual).toContain('writes /tmp/elsewhere.txt, outside the workspace')
  expect(request.unusual).toContain('part of what it does is known only when it runs')
  await host.approvals.answer(request.approval, { approved: false })
  await calling
})

test('a call that is allowed asks nobody and stores no approval request', async () => {
  const host = await exampleHost({ wait: true })
  expect(await host.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ ok: true })
  expect((await host.log.read()).map(({ type }) => type)).toEqual([
    'session-start',
    'call-start',
    'call-judged',
    'call-run',
    'call-end',
  ])
})

test('closing a host ends waiting calls as CANCELLED', async () => {
  const host = await exampleHost({ wait: true })
  const calling = host.call('write_note', { path: 'a', text: '' })
  await openRequest(host)
  await host.close()
  expect(await calling).toMatchObject({ ok: false, code: 'CANCELLED' })
})
