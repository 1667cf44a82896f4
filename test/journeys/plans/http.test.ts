import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestServer } from '../../support/http/test-server.ts'

test('plans over HTTP: check, start, conflict, pause at a failed job, feedback, skip, undo, list', async () => {
  const { client, workspace } = await startTestServer()
  const plan = {
    goal: 'Two files.',
    model: 'demo',
    jobs: [
      { id: 'one', prompt: 'write one.txt with "1"' },
      { id: 'two', prompt: 'list files', check: 'test -e three.txt', maxIterations: 1, dependsOn: ['one'] },
    ],
  }
  expect(await client.checkPlan({ plan })).toEqual({ problems: [], warnings: [] })
  const { warnings } = await client.checkPlan({ plan: { ...plan, mode: 'auto' }, mode: 'review' })
  expect(warnings).toEqual([expect.stringContaining('asks for mode auto, but its jobs work in mode review')])
  const { problems } = await client.checkPlan({ plan: 'goal: x\njobs:\n  - { id: a, prompt: x, tools: [nope] }\n' })
  expect(problems).toMatchObject([{ where: 'jobs.0.tools.0', line: 3, column: 33 }])
  await expect(client.startPlan({ plan: { goal: 'x', jobs: [] } })).rejects.toMatchObject({ status: 400 })
  await expect(client.startPlan({})).rejects.toMatchObject({ status: 400 })
  const { plan: begun } = await client.startPlan({ plan })
  const { id } = begun
  const state = async () => (await client.getPlan({ id })).plan
  await expect.poll(async () => (await state()).state).toBe('paused')
  expect(await state()).toMatchObject({ workspace, isHeld: false, pause: { reason: 'failed', job: 'two' } })
  await expect(client.startPlan({ plan })).rejects.toMatchObject({ status: 409 })
  await expect(client.actOnPlan({ id, action: 'retry', job: 'tow' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('Did you mean two?'),
  })
  await expect(client.actOnPlan({ id: 'p_none', action: 'stop' })).rejects.toMatchObject({ status: 404 })
  await expect(client.getPlan({ id: 'p_none' })).rejects.toMatchObject({ status: 404 })
  writeFileSync(join(workspace, 'three.txt'), '')
  await client.actOnPlan({ id, action: 'feedback', text: 'Look at three.txt.' })
  await expect.poll(async () => (await state()).state).toBe('completed')
  expect((await client.listPlans({ workspace })).plans.map((one) => one.id)).toEqual([id])
  await expect(client.actOnPlan({ id, action: 'stop' })).rejects.toMatchObject({ status: 409 })
  const undone = await client.undo({ plan: id, job: 'one' })
  expect(undone.result).toMatchObject({ ok: true })
  expect(existsSync(join(workspace, 'one.txt'))).toBe(false)
  // The session of a plan is not listed among the conversations.
  expect((await client.listSessions()).sessions.map(({ session }) => session)).not.toContain(id)
})
