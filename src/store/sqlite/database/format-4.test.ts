import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { drawSession } from '../../../core/session/draw-session.ts'
import { openSqliteStorage } from '../open-storage.ts'

const DUMP = join(import.meta.dirname, '../../../../test/data/log-format-4.sql')

/** Opens a log that an earlier Haft wrote in format 4, with more rows of that time when given. */
function openOldLog(more = '') {
  const path = join(temporaryFolder(), 'log.db')
  const old = new DatabaseSync(path)
  old.exec(readFileSync(DUMP, 'utf8') + more)
  old.close()
  const storage = openSqliteStorage({ path })
  onTestFinished(() => storage.close())
  return storage
}

it('a log of format 4 keeps every event, in its order, under cursors that count on', async () => {
  const { log } = openOldLog()
  const events = await log.read({ limit: 1_000 })
  expect(events.map(({ cursor }) => cursor)).toEqual(Array.from({ length: 53 }, (_, i) => i + 1))
  expect(new Set(events.map(({ id }) => id)).size).toBe(53)
  log.append({ type: 'message', session: 'writer', role: 'user', content: 'Go on' })
  await log.flush()
  const followed = log.follow({ after: 52 })
  const seen = [await followed.next(), await followed.next()].map(({ value }) => [value?.cursor, value?.type])
  expect(seen).toEqual([
    [53, 'approval-request'],
    [54, 'message'],
  ])
})

it('a log of format 4 keeps its sessions and calls, alone or sharing a row', async () => {
  const { log } = openOldLog()
  const sessions = await log.sessions()
  expect(sessions.map(({ session, calls }) => [session, calls])).toEqual([
    ['waiting', 1],
    ['writer', 4],
    ['reader', 5],
  ])
  const calls = await log.calls()
  expect(calls.map(({ tool, outcome }) => `${tool} ${outcome ?? 'open'}`)).toEqual([
    'write_file open',
    'write_file ok',
    'add_chapter ok',
    'add_chapter ok',
    'add_chapter DENIED',
    'read_file INVALID_PATH',
    'read_file FILE_NOT_FOUND',
    'read_file ok',
    'read_file ok',
    'read_file ok',
  ])
})

it('a session of format 4 is drawn from its events: output, requests to the app and approvals', async () => {
  const { log } = openOldLog()
  const { items, isRunning } = drawSession(await log.read({ session: 'writer' }))
  expect(isRunning).toBe(false)
  const [denied, added] = items.flatMap((item) => (item.kind === 'call' ? [item] : []))
  expect(denied).toMatchObject({ state: 'ended', approvals: [{ answer: { approved: false } }] })
  expect(added).toMatchObject({ state: 'ended', output: 'writing the chapter\n', result: { ok: true } })
})

it('changes of format 4 can be undone, and a question whose process died still waits for its answer', async () => {
  const { undo, approvals, log } = openOldLog()
  const [added = ''] = (await log.calls({ session: 'writer', tool: 'add_chapter', outcome: 'ok' }))
    .map(({ call }) => call)
    .reverse()
  const [{ path, before } = {}] = undo.by(added)
  expect(path).toBe('book.md')
  expect(before?.type === 'file' && Buffer.from(before.bytes ?? []).toString()).toBe('# Beginning\n')
  const [waiting] = await approvals.list()
  expect(waiting).toMatchObject({ request: { tool: 'write_file', session: 'waiting' }, input: { path: 'book.md' } })
})

it('events that two processes of format 4 committed at the same time are in one order, and output has offsets', async () => {
  const line = (seq: number) => `{"type":"call-delta","call":"c${seq % 2}","text":"ab","seq":${seq},"at":1}`
  const row = (session: string, first: number, last: number) =>
    `INSERT INTO events VALUES (NULL, ${first}, ${last}, 1, '${session}', '[${line(first)},${line(last)}]');`
  const { log } = openOldLog(row('left', 54, 56) + row('right', 55, 57))
  const events = await log.read({ after: 53 })
  expect(events.map((event) => [event.cursor, event.session, 'offset' in event && event.offset])).toEqual([
    [54, 'left', 0],
    [55, 'right', 0],
    [56, 'left', 2],
    [57, 'right', 2],
  ])
  log.append({ type: 'message', session: 'left', role: 'user', content: 'Go on' })
  await log.flush()
  expect(await log.end()).toBe(58)
})
