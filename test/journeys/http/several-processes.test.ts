import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { StreamedEvent } from '../../../src/client/client.ts'
import { isDelta } from '../../../src/core/session/event.ts'
import { openHome } from '../../../src/index.ts'
import { startServeProcess } from '../../support/http/serve-process.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('two servers and a terminal share one HAFT_HOME: an approval asked by one is answered at another, 100 times', {
  timeout: 240_000,
}, async () => {
  const [folder, workspace] = [join(temporaryFolder(), 'home'), temporaryFolder()]
  const place = { folder, workspace }
  const [first, second] = [await startServeProcess(place), await startServeProcess(place)]
  // What `haft call --wait` does in a terminal, in this process.
  const home = await openHome({ home: folder, wait: true })
  onTestFinished(() => home.close())
  const terminal = await home.host(workspace)
  const writes = Array.from({ length: 100 }, (_, at) => ({ path: `${at}.txt`, content: `new ${at}\n` }))
  for (const { path } of writes) writeFileSync(join(workspace, path), 'old\n')
  const askers = [
    async (args: object) => void (await first.client.callTool({ name: 'write_file', arguments: args })),
    async (args: object) => void (await second.client.callTool({ name: 'write_file', arguments: args })),
    async (args: object) => void terminal.start('write_file', args),
  ]
  const answerers = [
    async (id: string) => (await first.client.answerApproval({ id, approved: true })).runs,
    async (id: string) => (await second.client.answerApproval({ id, approved: true })).runs,
    async (id: string) => {
      const answer = await home.approvals.answer(id, { approved: true }, { by: 'terminal' })
      return answer.ok ? answer.runs : answer.text
    },
  ]
  for (const [at, args] of writes.entries()) {
    await askers[at % 3]?.(args)
    // Every interface lists the request, whoever asked.
    const listed = [first.client, second.client][at % 2]
    await eventually(async () =>
      ((await listed?.listApprovals())?.approvals ?? []).some((one) => one.arguments.path === args.path),
    )
    const open = (await listed?.listApprovals())?.approvals.find((one) => one.arguments.path === args.path)
    expect(await answerers[(at + 1 + (at % 2)) % 3]?.(open?.id ?? '')).toBe('asker')
  }
  for (const { path, content } of writes)
    await eventually(() => readFileSync(join(workspace, path), 'utf8') === content)
  await eventually(async () => (await first.client.listApprovals()).approvals.length === 0)
  expect((await second.client.listCalls({ tool: 'write_file', outcome: 'ok', limit: 1_000 })).calls).toHaveLength(100)
})

test('what one process does is seen live in another, and a run of one is stopped at another', {
  timeout: 60_000,
}, async () => {
  const place = { folder: join(temporaryFolder(), 'home'), workspace: temporaryFolder() }
  const [first, second] = [await startServeProcess(place), await startServeProcess(place)]
  writeFileSync(join(place.workspace, 'a.txt'), 'x')
  const { session } = await first.client.createSession({ message: 'delete a.txt', model: 'demo' })
  const seen: StreamedEvent[] = []
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const follow = async () => {
    for await (const event of second.client.events({ session: session.session, signal: stop.signal })) seen.push(event)
  }
  follow().catch(() => undefined)
  await eventually(() => seen.some(({ type }) => type === 'approval-request'))
  expect((await second.client.getSession({ id: session.session })).session.state).toBe('waiting')
  await expect(second.client.deleteSession({ id: session.session })).rejects.toMatchObject({ status: 409 })
  await second.client.stopSession({ id: session.session })
  await eventually(() => seen.some((event) => event.type === 'run-end' && event.reason === 'cancelled'))
  const logged = (await first.client.listEvents({ session: session.session })).events.filter((event) => !isDelta(event))
  await eventually(() => seen.filter((event) => !isDelta(event)).length === logged.length)
  expect(seen.filter((event) => !isDelta(event)).map(({ id }) => id)).toEqual(logged.map(({ id }) => id))
  // A message sent at the other server goes on with the session there.
  await second.client.sendMessage({ id: session.session, message: 'list files' })
  await eventually(() => seen.some((event) => event.type === 'run-end' && event.reason === 'reply'))
})

test('a question and a request to the app that a terminal asks are answered at a server', {
  timeout: 60_000,
}, async () => {
  const place = { folder: join(temporaryFolder(), 'home'), workspace: temporaryFolder() }
  const { client } = await startServeProcess(place)
  const home = await openHome({ home: place.folder, wait: true })
  onTestFinished(() => home.close())
  const host = await home.host(place.workspace)
  const asked = host.call('ask_user', { question: 'Which file?' })
  await eventually(async () => (await client.listInputs()).inputs.length === 1)
  const [input] = (await client.listInputs()).inputs
  await client.answerInput({ id: input?.input ?? '', answer: 'the second one' })
  expect(await asked).toMatchObject({ ok: true, text: expect.stringContaining('the second one') })
  writeFileSync(join(place.workspace, 'plan.md'), 'x')
  const opening = host.call('open_file', { path: 'plan.md' }, { decision: 'allow' })
  await eventually(async () => (await client.listDelegates()).delegates.length === 1)
  const [delegate] = (await client.listDelegates()).delegates
  expect(delegate).toMatchObject({ effect: { kind: 'open' } })
  await client.answerDelegate({ id: delegate?.delegate ?? '', done: true })
  expect(await opening).toMatchObject({ ok: true })
  const events = await home.log.read({ call: delegate?.call ?? '' })
  expect(events.filter(({ type }) => type === 'delegate-answer')).toHaveLength(1)
})

test('a request to the app is answered at once where no page is open', async () => {
  const place = { folder: join(temporaryFolder(), 'home'), workspace: temporaryFolder() }
  const { client } = await startServeProcess(place)
  writeFileSync(join(place.workspace, 'plan.md'), 'x')
  const asked = await client.callTool({ name: 'open_file', arguments: { path: 'plan.md' } })
  if ('approval' in asked && asked.approval) await client.answerApproval({ id: asked.approval.id, approved: true })
  await eventually(async () => (await client.listCalls({ tool: 'open_file' })).calls[0]?.outcome != null)
  expect((await client.listDelegates()).delegates).toEqual([])
})
