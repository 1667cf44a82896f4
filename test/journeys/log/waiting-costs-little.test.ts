import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openHome } from '../../../src/index.ts'
import { startLines } from '../../support/lines.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a process in which hundreds wait for approvals, tasks and events asks the log at most four times a second, and is notified of every answer from another process', async () => {
  const [folder, workspace] = [temporaryFolder(), temporaryFolder()]
  const worker = startLines('idle-worker.ts', [folder, workspace, '100'])
  const { queries, tasks, ok } = JSON.parse((await worker.next()) ?? '')
  expect({ tasks, ok }).toEqual({ tasks: 1, ok: true })
  expect(queries).toBeLessThanOrEqual(12)

  const home = await openHome({ home: folder })
  onTestFinished(() => home.close())
  const requests = await home.approvals.list()
  expect(requests).toHaveLength(101)
  for (const { request } of requests) await home.approvals.answer(request.approval, { approved: false })
  for (let i = 0; i < 100; i++) expect(await worker.next()).toBe('DENIED')
})

test('fifty waits for runs of another process share one check a second that it lives, and all end when it is killed', async () => {
  const [folder, workspace] = [temporaryFolder(), temporaryFolder()]
  const holder = startLines('sends-worker.ts', [folder, workspace, 'hold', '50'])
  const sessions = (await holder.next()) ?? ''
  const waiter = startLines('sends-worker.ts', [folder, workspace, 'wait', sessions])
  // At most four a second for the log, and one for the holders.
  expect(Number(await waiter.next())).toBeLessThanOrEqual(18)
  await holder.kill()
  for (const _ of sessions.split(',')) expect(await waiter.next()).toBe('failed')
})

test('a thousand followers in one process cost no more queries than one, and little memory', async () => {
  const run = async (followers: number) => {
    const script = join(import.meta.dirname, '../../support/followers-worker.ts')
    const path = join(temporaryFolder(), 'log.db')
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      script,
      path,
      String(followers),
      '200',
    ])
    const measured: { queries: number; heap: number } = JSON.parse(stdout)
    return measured
  }
  const one = await run(1)
  const many = await run(1_000)
  // Each begins with a statement or two; none may be run for each follower and commit, which would be 200,000.
  expect(many.queries - one.queries).toBeLessThan(5_000)
  expect(many.heap - one.heap).toBeLessThan(20_000_000)
})
