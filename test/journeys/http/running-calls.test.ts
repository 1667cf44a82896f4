import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { defineTool, objectSchema } from '../../../src/index.ts'
import { startTestServer } from '../../support/http/test-server.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Waits until a command runs, and returns its call. */
async function running(client: Client, session?: string): Promise<string> {
  const find = async () => {
    const { calls } = await client.listCalls({ tool: 'shell', ...(session !== undefined && { session }) })
    return calls.find(({ ran, outcome }) => ran && outcome === null)?.call
  }
  await eventually(async () => (await find()) !== undefined)
  return (await find()) ?? ''
}

/** A command that runs until it is cancelled. */
const WAIT = 'echo begun; sleep 300'

async function typesOf(client: Client, call: string): Promise<readonly string[]> {
  return (await client.listEvents({ call })).events.map(({ type }) => type)
}

test('a running command is moved to the background: its caller goes on, it runs on as a task, and what it changes is applied at its end', async () => {
  const { client, workspace } = await startTestServer()
  const command = 'echo new > made.txt; sleep 5; echo ended'
  const answer = client.callTool({ name: 'shell', arguments: { command } })
  const id = await running(client)
  expect(await client.moveCall({ id })).toEqual({ done: true })
  expect(await answer).toMatchObject({ ok: true, data: { task_id: id, state: 'running' } })
  // A second move has nothing to move.
  await expect(client.moveCall({ id })).rejects.toMatchObject({ status: 409, code: 'CONFLICT' })
  await eventually(async () => (await client.getTask({ id })).task.state === 'ended')
  expect(await client.getCall({ id })).toMatchObject({ ok: true, text: expect.stringContaining('ended') })
  expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('new\n')
  const types = await typesOf(client, id)
  expect(types.filter((type) => /^(call-(run|background|end)|task-)/.test(type))).toEqual([
    ...['call-run', 'call-background', 'task-start', 'call-end', 'task-end'],
  ])
})

test('a call that was moved outlives the time limit of the foreground', async () => {
  const gate = Promise.withResolvers<string>()
  const slow = defineTool({
    ...{ name: 'slow', description: 'Waits.', input: objectSchema({}), effect: 'none', mayTakeLong: true },
    timeout: () => 3,
    execute: () => gate.promise,
  })
  const { client, home, workspace } = await startTestServer({ tools: [slow] })
  const host = await home.host(workspace)
  const started = performance.now()
  const { id, result } = host.start('slow')
  await eventually(async () => (await client.listCalls({ tool: 'slow' })).calls.some(({ ran }) => ran))
  await client.moveCall({ id })
  expect(await result).toMatchObject({ ok: true, data: { task_id: id } })
  await eventually(() => performance.now() - started > 3_500)
  gate.resolve('through')
  await eventually(async () => (await client.getTask({ id })).task.outcome === 'ok')
  await host.close()
})

test('a call that was moved outlives the run that made it', async () => {
  const { client } = await startTestServer()
  const { session } = await client.createSession({ message: `run ${WAIT}`, model: 'demo' })
  const id = await running(client, session.session)
  await client.moveCall({ id })
  await eventually(async () => (await client.getSession({ id: session.session })).session.state === 'idle')
  const { events } = await client.listEvents({ session: session.session })
  expect(events.find(({ type }) => type === 'run-end')).toMatchObject({ reason: 'reply' })
  expect((await client.getTask({ id })).task.state).toBe('running')
  await client.stopSession({ id: session.session }).catch(() => undefined)
  expect((await client.getTask({ id })).task.state).toBe('running')
  expect(await client.cancelCall({ id })).toEqual({ done: true })
  await eventually(async () => (await client.getTask({ id })).task.outcome === 'CANCELLED')
})

test('a running call is cancelled: it ends as CANCELLED, and the run that made it goes on', async () => {
  const { client } = await startTestServer()
  const { session } = await client.createSession({ message: `run ${WAIT}`, model: 'demo' })
  const id = await running(client, session.session)
  expect(await client.cancelCall({ id })).toEqual({ done: true })
  await eventually(async () => (await client.getSession({ id: session.session })).session.state === 'idle')
  expect(await client.getCall({ id })).toMatchObject({ ok: false, code: 'CANCELLED' })
  const { events } = await client.listEvents({ session: session.session })
  expect(events.find(({ type }) => type === 'call-cancel')).toMatchObject({ call: id, by: 'http' })
  expect(events.find(({ type }) => type === 'run-end')).toMatchObject({ reason: 'reply' })
  await expect(client.cancelCall({ id })).rejects.toMatchObject({ status: 409, code: 'CONFLICT' })
})

test('calls that an agent of another process runs are moved and cancelled from here', async () => {
  const [folder, workspace] = [temporaryFolder(), temporaryFolder()]
  const there = await startTestServer({ folder, workspace })
  const here = await startTestServer({ folder, workspace })
  const first = await there.client.createSession({ message: `run ${WAIT}`, model: 'demo' })
  const moved = await running(here.client, first.session.session)
  await here.client.moveCall({ id: moved })
  await eventually(async () => (await here.client.listTasks()).tasks.some(({ task }) => task === moved))
  const second = await there.client.createSession({ message: `run ${WAIT}`, model: 'demo' })
  const cancelled = await running(here.client, second.session.session)
  await here.client.cancelCall({ id: cancelled })
  await eventually(async () => 'ok' in (await here.client.getCall({ id: cancelled })))
  expect(await here.client.getCall({ id: cancelled })).toMatchObject({ ok: false, code: 'CANCELLED' })
  await here.client.cancelCall({ id: moved })
  await eventually(async () => (await here.client.getTask({ id: moved })).task.outcome === 'CANCELLED')
})

test('what does not run cannot be moved or cancelled, and the answer says why', async () => {
  const { client } = await startTestServer()
  await expect(client.cancelCall({ id: 'c_none' })).rejects.toMatchObject({ status: 404 })
  await expect(client.moveCall({ id: 'c_none' })).rejects.toMatchObject({ status: 404 })
  const asked = await client.callTool({ name: 'shell', arguments: { command: 'rm -rf plans' }, detached: true })
  if (!('call' in asked)) throw new Error('expected an open call')
  await eventually(async () => (await client.listApprovals()).approvals.length === 1)
  await expect(client.moveCall({ id: asked.call })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('it does not run yet'),
  })
  expect(await client.cancelCall({ id: asked.call })).toEqual({ done: true })
  await eventually(async () => 'ok' in (await client.getCall({ id: asked.call })))
  expect(await client.getCall({ id: asked.call })).toMatchObject({ ok: false })
  expect((await client.listApprovals()).approvals).toEqual([])
})
