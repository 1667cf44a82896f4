import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Host, Reply } from '../../../src/index.ts'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { askedCall } from '../../support/approval-requests.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'

const SECRET = 'correct-horse-battery-4711'

/** The files of the log that hold a text. */
function filesWith(home: string, text: string): string[] {
  const files = readdirSync(home).filter((name) => name.startsWith('log.db'))
  return files.filter((name) => readFileSync(join(home, name)).includes(text))
}

/** Starts a call that waits for an answer, and returns the id of its request. */
async function startWaiting(host: Host, text: string) {
  const { result } = host.start('write_note', { path: 'a.txt', text }, { wait: true })
  await expect.poll(async () => (await host.approvals.list()).length).toBe(1)
  const [record] = await host.approvals.list()
  return { id: record?.request.approval ?? '', result }
}

const note = (size: number) => `token: "${SECRET}" ${'x'.repeat(size)}`

test.for<[string, Reply, number]>([
  ['yes', { approved: true }, 10],
  ['no', { approved: false }, 10],
  ['other arguments', { approved: true, modifiedArgs: { path: 'b.txt', text: `secret="${SECRET}-changed"` } }, 10],
  ['yes to arguments of many pages', { approved: true }, 60_000],
])(
  'S0.12 an approval answered with %s leaves no unmasked argument in the log file or its WAL',
  async ([, reply, size]) => {
    const home = temporaryFolder()
    const host = await exampleHost({ home })
    const other = openSqliteStorage({ path: join(home, 'log.db') })
    onTestFinished(() => other.close())
    const { id, result } = await startWaiting(host, note(size))
    expect(filesWith(home, SECRET)).not.toEqual([])
    expect(await host.approvals.answer(id, reply)).toMatchObject({ ok: true })
    await result
    expect(filesWith(home, SECRET)).toEqual([])
  },
)

test('what a reader of another process keeps in the WAL is erased once it has read', async () => {
  const home = temporaryFolder()
  const path = join(home, 'log.db')
  const storage = openSqliteStorage({ path })
  onTestFinished(() => storage.close())
  const { DatabaseSync } = await import('node:sqlite')
  const reader = new DatabaseSync(path)
  await askedCall(storage, 'c1')
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM approvals').get()
  await storage.approvals.settle('a_c1')
  expect(filesWith(home, '"raw"')).toEqual(['log.db-wal'])
  reader.exec('COMMIT')
  await expect.poll(() => filesWith(home, '"raw"'), { timeout: 5_000 }).toEqual([])
  reader.close()
})

test('a request that a dead process left behind is erased by the next start', async () => {
  const home = temporaryFolder()
  const path = join(home, 'log.db')
  const first = openSqliteStorage({ path })
  await askedCall(first, 'c1', Date.now() - 1)
  first.close()
  expect(filesWith(home, '"raw"')).not.toEqual([])
  const second = openSqliteStorage({ path })
  onTestFinished(() => second.close())
  expect(await second.approvals.list()).toEqual([])
  expect(filesWith(home, '"raw"')).toEqual([])
})
