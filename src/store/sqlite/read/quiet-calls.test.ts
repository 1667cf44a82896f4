import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CallSketch, callEvents } from '../../../../test/support/call-events.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { failure } from '../../../core/call/result.ts'
import type { CallFilter, Log } from '../../../core/ports/log.ts'
import type { EventBody } from '../../../core/session/event.ts'
import { createMemoryStorage } from '../../memory/memory-storage.ts'
import { openSqliteStorage } from '../open-storage.ts'

const session = fc.constantFrom('s1', 's2', 's3')
const tool = fc.constantFrom('read_file', 'shell', 'read', '"quoted"')

/** Most calls are quiet, so that rows are shared by several. */
const rarely = fc.nat(7).map((n) => n === 0)

const sketch = fc.record({
  session,
  tool,
  decision: fc.oneof(
    { weight: 6, arbitrary: fc.constant('allow' as const) },
    fc.constantFrom('ask' as const, 'deny' as const),
  ),
  fails: rarely,
  isTask: rarely,
  /** A tool's name in the arguments makes a row that holds the word and not the tool. */
  arguments: fc.constantFrom({ path: 'a' }, { path: 'shell' }, { path: 'x'.repeat(400) }),
})

/** One or two at once: more would let nothing through. */
const member: fc.Arbitrary<CallFilter> = fc.oneof(
  fc.record({ session }),
  fc.record({ tool }),
  fc.record({ call: fc.nat(30).map((i) => `c${i}`) }),
  fc.record({ callPrefix: fc.constantFrom('', 'c', 'c1', 'c29', 'x') }),
  fc.record({ decision: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const) }),
  fc.record({ outcome: fc.constantFrom('ok' as const, 'TIMEOUT' as const, 'BLOCKED' as const) }),
  fc.record({ before: fc.nat(120) }),
  fc.record({ since: fc.constantFrom(0, Date.now() * 2) }),
  fc.record({ limit: fc.integer({ min: 1, max: 20 }) }),
)
const filter = fc.tuple(member, member).map(([one, other]): CallFilter => ({ ...one, ...other }))

it('a call is found alike whether it has a row of its own or shares one, by every filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sketch, { maxLength: 30 }),
      fc.array(fc.nat(40), { maxLength: 30 }),
      fc.array(filter, { minLength: 5, maxLength: 15 }),
      async (sketches, picks, filters) => {
        const calls = sketches.map(eventsOf)
        const sqlite = openSqliteStorage({ path: join(temporaryFolder(), 'log.db') })
        await play(sqlite.log, calls, picks)
        const memory = await replay(sqlite.log)
        expect(await memory.end()).toBe(calls.flat().length)
        for (const one of filters) expect(await shown(sqlite.log, one)).toEqual(await shown(memory, one))
        for (const { call } of await memory.calls())
          expect(await story(sqlite.log, call)).toEqual(await story(memory, call))
        sqlite.close()
      },
    ),
    { numRuns: 60 },
  )
})

function eventsOf(given: typeof sketch extends fc.Arbitrary<infer T> ? T : never, index: number): EventBody[] {
  const call = `c${index}`
  const result = given.fails ? failure('TIMEOUT', 'slow') : undefined
  const made: CallSketch = { ...given, call, ...(result && given.decision !== 'deny' && { result }) }
  const [start, ...rest] = callEvents(made)
  const task = { type: 'task-start', session: given.session, call } as const
  return start ? [start, ...(given.isTask ? [task] : []), ...rest] : []
}

/** Appends the events of all calls, those of each in their order, and lets the file be written now and then. */
async function play(log: Log, calls: EventBody[][], picks: readonly number[]): Promise<void> {
  const left = calls.map((events) => [...events])
  const next = (index: number) => {
    const body = left[index]?.shift()
    if (body) log.append(body)
  }
  for (const pick of picks) {
    if (pick >= left.length) await log.sessions()
    else next(pick)
  }
  for (const [index, events] of left.entries()) while (events.length > 0) next(index)
}

/** The same events in memory, in the order of their commits, which groups those of a session. */
async function replay(log: Log): Promise<Log> {
  const memory = createMemoryStorage().log
  for (const event of await log.read()) memory.append(event)
  return memory
}

const shown = async (log: Log, one: CallFilter) => (await log.calls(one)).map(({ at: _, ...record }) => record)
const story = async (log: Log, call: string) => (await log.read({ call })).map(({ at: _, id: __, ...event }) => event)

it('a page of calls may end in the middle of a shared row', async () => {
  const { log, close } = openSqliteStorage({ path: join(temporaryFolder(), 'log.db') })
  for (let i = 0; i < 6; i++) for (const body of callEvents({ call: `c${i}` })) log.append(body)
  expect((await log.calls({ before: 10 })).map(({ call }) => call)).toEqual(['c2', 'c1', 'c0'])
  close()
})

it('names nobody who allowed a call where an older row does not say', async () => {
  const path = join(temporaryFolder(), 'log.db')
  const first = openSqliteStorage({ path })
  for (const body of callEvents({ call: 'c1' })) first.log.append(body)
  first.close()
  const database = new DatabaseSync(path)
  const row = database.prepare('SELECT body FROM quiet_calls').get()
  const shorter = JSON.parse(String(row?.body)).map((quiet: unknown[]) => quiet.slice(0, 8))
  database.prepare('UPDATE quiet_calls SET body = ?').run(JSON.stringify(shorter))
  database.close()
  const second = openSqliteStorage({ path })
  expect(await second.log.calls()).toMatchObject([{ call: 'c1', outcome: 'ok', clearedBy: null }])
  second.close()
})
