import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { askedCall } from '../support/approval-requests.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

const ROUNDS = 1_000

test(`two processes answer one approval request at once, ${ROUNDS} times: one answer counts each time`, {
  timeout: 120_000,
}, async () => {
  const path = join(temporaryFolder(), 'log.db')
  const store = openSqliteStorage({ path })
  onTestFinished(() => store.close())
  const ids: string[] = []
  for (let round = 0; round < ROUNDS; round++) ids.push(await askedCall(store, `c${round}`))
  const workers = await Promise.all(['one', 'two'].map((name) => startWorker(path, name)))
  const wins = { one: 0, two: 0 }
  for (const [round, id] of ids.entries()) {
    // Each is told first in turn, so that neither wins by the order alone.
    const order = round % 2 === 0 ? workers : workers.toReversed()
    const told = await Promise.all(order.map(({ answer }) => answer(id)))
    const said = round % 2 === 0 ? told : told.toReversed()
    expect([...said].sort()).toEqual(['lost', 'won'])
    const winner = said[0] === 'won' ? 'one' : 'two'
    wins[winner]++
    expect((await store.approvals.get(id))?.answer).toMatchObject({
      by: winner,
      reply: { approved: false, reason: winner },
    })
  }
  expect(Math.min(wins.one, wins.two)).toBeGreaterThan(0)
  await Promise.all(workers.map(({ end }) => end()))
})

test('two processes take over the calls of a third that was killed, each call one of them', {
  timeout: 120_000,
}, async () => {
  const { path, ids, kill } = await startAsker()
  const workers = await Promise.all(['one', 'two'].map((name) => startWorker(path, name, 'adopt')))
  const alive = await Promise.all(workers.map(({ answer }) => answer(ids[0] ?? '')))
  expect(alive).toEqual(['lost', 'lost'])
  await kill()
  const outcomes = []
  for (const id of ids) outcomes.push((await Promise.all(workers.map(({ answer }) => answer(id)))).sort().join())
  expect(ids).toHaveLength(300)
  expect(new Set(outcomes)).toEqual(new Set(['lost,won']))
  await Promise.all(workers.map(({ end }) => end()))
})

test('the process whose answer counts takes over the call of a killed one, even if another process sees the answer at once', {
  timeout: 120_000,
}, async () => {
  const { path, ids, kill } = await startAsker()
  await kill()
  const names = ['one', 'two'] as const
  const workers = await Promise.all(names.map((name) => startWorker(path, name, 'both')))
  const store = openSqliteStorage({ path })
  onTestFinished(() => store.close())
  for (const id of ids) {
    const outcomes = await Promise.all(workers.map(({ answer }) => answer(id)))
    const by = (await store.approvals.get(id))?.answer?.by
    expect(outcomes, id).toEqual(names.map((name) => (name === by ? 'won' : 'lost')))
  }
  await Promise.all(workers.map(({ end }) => end()))
})

/** A process that has asked 300 approval requests and waits. */
async function startAsker(): Promise<{ path: string; ids: string[]; kill(): Promise<unknown> }> {
  const path = join(temporaryFolder(), 'log.db')
  const script = join(import.meta.dirname, '../support/ask-worker.ts')
  const asker = spawn(process.execPath, [script, path, '300'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void asker.kill('SIGKILL'))
  const [ids] = await once(asker.stdout.setEncoding('utf8'), 'data')
  const kill = () => {
    asker.kill('SIGKILL')
    return once(asker, 'close')
  }
  return { path, ids: String(ids).trim().split(' '), kill }
}

interface Worker {
  answer(id: string): Promise<string>
  end(): Promise<unknown>
}

async function startWorker(path: string, name: string, task = 'answer'): Promise<Worker> {
  const script = join(import.meta.dirname, '../support/answer-worker.ts')
  const child: ChildProcess = spawn(process.execPath, [script, path, name, task], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (!child.stdout) throw new Error('the worker has no voice')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  expect(await next()).toBe('ready')
  return {
    async answer(id) {
      child.stdin?.write(`${id}\n`)
      return next()
    },
    async end() {
      child.stdin?.end()
      await once(child, 'close')
    },
  }
}

test('a second answer is a CONFLICT, and the first one counts', async () => {
  const host = await exampleHost({ wait: true })
  const calling = host.call('write_note', { path: 'a.txt', text: 'hi' })
  await expect.poll(async () => (await host.approvals.list()).length).toBe(1)
  const id = (await host.approvals.list())[0]?.request.approval ?? ''
  const answers = await Promise.all([
    host.approvals.answer(id, { approved: false, reason: 'first' }),
    host.approvals.answer(id, { approved: true }),
    host.approvals.answer(id, { approved: true }),
  ])
  expect(answers.map((answer) => (answer.ok ? 'taken' : answer.code))).toEqual(['taken', 'CONFLICT', 'CONFLICT'])
  expect(await calling).toMatchObject({ ok: false, code: 'DENIED', details: { reason: 'first' } })
  expect(await host.approvals.answer(id, { approved: true })).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(await host.approvals.answer('a_none', { approved: true })).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' })
})
