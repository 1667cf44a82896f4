import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHome } from '../../../src/index.ts'
import { openTestHome } from '../../support/agents/open-test-home.ts'
import { call, modelOf, taskOf } from '../../support/agents/scripted-model.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a listing says how the last run of a session ended: failed, stopped and cut off are not done', async () => {
  const { home, host } = await openTestHome()
  const listing = (_: unknown, turn: number) => call('list_directory', { path: `folder-${turn}` })
  const sessionWith = async (work: (session: Awaited<ReturnType<typeof host.session>>) => Promise<unknown>) => {
    const session = await host.session()
    await work(session)
    return (await home.sessions({ session: session.id }))[0]?.state
  }
  const failing = modelOf(() => {
    throw new Error('the server closed the connection')
  })
  expect(await sessionWith((one) => one.send('Go', { model: modelOf(() => ({ text: 'Hello.' })) }))).toBe('idle')
  expect(await sessionWith((one) => one.send('Go', { model: failing }))).toBe('failed')
  expect(await sessionWith((one) => one.send('Go', { model: modelOf(listing), maxSteps: 2 }))).toBe('cut-off')
  const stopped = sessionWith(async (one) => {
    const asked = Promise.withResolvers<void>()
    const waiting = modelOf(() => {
      asked.resolve()
      return new Promise(() => undefined)
    })
    const end = one.send('Go', { model: waiting })
    await asked.promise
    one.stop()
    await end
  })
  expect(await stopped).toBe('stopped')
  // The next run that ends well is what counts.
  const again = await sessionWith(async (one) => {
    await one.send('Go', { model: failing })
    await one.send('Go', { model: modelOf(() => ({ text: 'Hello.' })) })
  })
  expect(again).toBe('idle')
})

test('a session waits for a person while its agent does', async () => {
  const { home, host, workspace } = await openTestHome()
  writeFileSync(join(workspace, 'a.txt'), 'old')
  const model = modelOf((request) =>
    taskOf(request) === 'child' ? call('delete_file', { path: 'a.txt' }) : call('spawn_agent', { task: 'child' }),
  )
  const session = await host.session({ wait: true })
  const run = session.send('Go', { model })
  await eventually(async () => (await home.approvals.list()).length === 1)
  const [approval] = await home.approvals.list()
  expect(approval?.request.session).not.toBe(session.id)
  expect((await home.sessions({ session: session.id }))[0]?.state).toBe('waiting')
  session.stop()
  await run
})

test('a run that reached its limit of steps goes on without a message, once somebody asks for it; the limit is a setting', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'settings.toml'), '[run]\nmax_steps = 3\n')
  const home = await openHome({ home: folder })
  onTestFinished(() => home.close())
  const host = await home.host(temporaryFolder())
  const model = modelOf((_, turn) =>
    turn < 6 ? call('list_directory', { path: `folder-${turn}` }) : { text: 'Done.' },
  )
  const session = await host.session()
  expect(await session.send('Go', { model })).toMatchObject({ reason: 'limit', steps: 3 })
  // What goes on by itself after an answer leaves it alone.
  expect(await session.resume({ model })).toBeUndefined()
  expect(await session.resume({ model, afterLimit: true })).toMatchObject({
    reason: 'reply',
    steps: 3,
    summary: 'Done.',
  })
  expect((await home.sessions({ session: session.id }))[0]?.state).toBe('idle')
  const messages = (await session.events()).filter((event) => event.type === 'message' && event.role === 'user')
  expect(messages).toHaveLength(1)
  expect(await session.resume({ model, afterLimit: true })).toBeUndefined()
})
