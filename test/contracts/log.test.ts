import { describe, expect, it } from 'vitest'
import { failure } from '../../src/core/call/result.ts'
import type { CallFilter, Log } from '../../src/core/ports/log.ts'
import type { CommittedEvent } from '../../src/core/session/event.ts'
import { appendCall, callEvents, withoutCursors } from '../support/call-events.ts'
import { STORAGES } from '../support/storages.ts'

describe.each(STORAGES)('the log of %s', (_, open) => {
  const make = () => open().log

  it('gives every event an id of its own, a time and, once it is committed, a cursor that rises', async () => {
    const log = make()
    const events = ['a', 'b', 'c'].flatMap((call) => appendCall(log, { call }))
    expect(new Set(events.map(({ id }) => id)).size).toBe(12)
    const read = await log.read()
    expect(withoutCursors(read)).toEqual(withoutCursors(events))
    const cursors = read.map(({ cursor }) => cursor ?? 0)
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b))
    expect(new Set(cursors).size).toBe(12)
    expect(await log.end()).toBe(cursors.at(-1))
    for (const { at } of events) expect(Math.abs(Date.now() - at)).toBeLessThan(60_000)
  })

  it('keeps counting across many batches', async () => {
    const log = make()
    for (let i = 0; i < 500; i++) {
      appendCall(log, { call: `c${i}` })
      if (i % 100 === 0) await log.flush()
    }
    expect((await log.read()).map(({ cursor }) => cursor)).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 1))
  })

  it('S0.12 lists a call with when, which, arguments, decision, duration and outcome, and whose it was', async () => {
    const log = make()
    log.append({ type: 'session-start', session: 's1', workspace: '/w', mode: 'ask', parent: 's0' })
    const [start] = appendCall(log, { call: 'c1', tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } })
    expect(await log.calls()).toEqual([
      {
        cursor: 2,
        session: 's1',
        workspace: '/w',
        parent: 's0',
        call: 'c1',
        tool: 'write_file',
        arguments: '{"path":"a.txt","content":"x"}',
        at: start?.at,
        decision: 'allow',
        rule: 'a rule',
        clearedBy: 'a rule',
        ran: true,
        outcome: 'ok',
        duration: 1.5,
        task: null,
      },
    ])
  })

  it('distinguishes tasks from other calls, and their states', async () => {
    const log = make()
    const [start, judged, run, end] = callEvents({ call: 'c1' })
    appendCall(log, { call: 'c2' })
    const states: string[][] = []
    for (const event of [start, judged, { type: 'task-start' as const, session: 's1', call: 'c1' }, run, end]) {
      if (event) log.append(event)
      states.push((await log.calls({ isTask: true })).map(({ call, task }) => `${call} ${task}`))
    }
    expect(states).toEqual([[], [], ['c1 queued'], ['c1 running'], ['c1 ended']])
  })

  it('lists the calls that have not ended', async () => {
    const log = make()
    const [start] = callEvents({ call: 'c1' })
    if (start) log.append(start)
    appendCall(log, { call: 'c2' })
    expect((await log.calls({ isOpen: true })).map(({ call }) => call)).toEqual(['c1'])
  })

  it('finds messages that hold every word, the newest first, and neither system prompts nor calls', async () => {
    const log = make()
    const say = (role: 'system' | 'user' | 'assistant', content: string) =>
      log.append({ type: 'message', session: 's1', role, content })
    say('system', 'Fix things')
    const first = say('user', 'Fix the\nPARSER')
    appendCall(log, { call: 'c1', arguments: { text: 'fix parser' } })
    const second = say('assistant', 'The parser was easy to fix.')
    expect((await log.search('parser fix')).map(({ event }) => event)).toEqual([second.id, first.id])
    expect(await log.search('fix', 1)).toMatchObject([{ session: 's1', role: 'assistant' }])
    expect(await log.search('parser missing')).toEqual([])
    expect(await log.search(' ')).toEqual([])
  })

  it('finds calls of which every word stands in some event: arguments, rule, answer or output', async () => {
    const log = make()
    const found = async (text: string, filter = {}) => (await log.searchCalls(text, filter)).map(({ call }) => call)
    appendCall(log, { call: 'c1', tool: 'shell', arguments: { command: 'npm TEST "quoted"' } })
    appendCall(log, { call: 'c2', tool: 'shell', result: { ok: true, text: '7 tests\npassed', data: null } })
    appendCall(log, { call: 'c3', tool: 'read_file', session: 's2', arguments: { path: 'test_npm/ä.ts' } })
    log.append({ type: 'message', session: 's1', role: 'user', content: 'npm test' })
    expect(await found('test')).toEqual(['c3', 'c2', 'c1'])
    expect(await found('shell passed')).toEqual(['c2'])
    expect(await found('npm')).toEqual(['c3', 'c1'])
    expect(await found('"quoted"')).toEqual(['c1'])
    expect(await found('Ä.TS')).toEqual(['c3'])
    expect(await found('test', { session: 's1' })).toEqual(['c2', 'c1'])
    expect(await found('test', { limit: 1 })).toEqual(['c3'])
    const [last] = await log.searchCalls('test', { limit: 1 })
    expect(await found('test', { before: last?.cursor })).toEqual(['c2', 'c1'])
    expect(await found('100%_')).toEqual([])
    expect(await found(' ')).toEqual([])
  })

  it('counts the calls that each rule decided since a time', async () => {
    const log = make()
    const judged = (call: string, rule: string, decision: 'allow' | 'deny') =>
      log.append({ type: 'call-judged', session: 's1', call, decision, rule, reason: '', trace: [] })
    for (const [call, rule] of [
      ['c1', 'reading'],
      ['c2', 'reading'],
      ['c3', 'no_secrets'],
    ] as const) {
      log.append({ type: 'call-start', session: 's1', call, name: 'read_file', arguments: {} })
      judged(call, rule, rule === 'reading' ? 'allow' : 'deny')
      const result = rule === 'reading' ? ({ ok: true, text: '', data: null } as const) : failure('BLOCKED', 'no')
      log.append({ type: 'call-end', session: 's1', call, result, duration: 1 })
      await log.flush()
    }
    log.append({ type: 'call-start', session: 's1', call: 'c4', name: 'shell', arguments: {} })
    expect(Object.fromEntries(await log.countRules(0))).toEqual({ reading: 2, no_secrets: 1 })
    expect([...(await log.countRules(Date.now() + 60_000))]).toEqual([])
  })

  it('shows a call under way without an outcome', async () => {
    const log = make()
    for (const body of callEvents({ call: 'c1' }).slice(0, 2)) log.append(body)
    expect(await log.calls()).toMatchObject([
      { call: 'c1', decision: 'allow', ran: false, outcome: null, duration: null },
    ])
    for (const body of callEvents({ call: 'c1' }).slice(2)) log.append(body)
    expect(await log.calls()).toMatchObject([{ call: 'c1', ran: true, outcome: 'ok' }])
  })

  it('cuts long arguments but shows every key', async () => {
    const log = make()
    appendCall(log, { call: 'c1', arguments: { content: 'x'.repeat(5_000), path: 'b.txt' } })
    const shown = (await log.calls())[0]?.arguments ?? ''
    expect(shown.length).toBeLessThanOrEqual(300)
    expect(shown).toContain('"path":"b.txt"')
  })

  it('finds calls by session, tool, decision, outcome, id and time, newest first', async () => {
    const log = make()
    appendCall(log, { call: 'c1', tool: 'read_file' })
    appendCall(log, { call: 'c2', tool: 'shell', decision: 'deny' })
    appendCall(log, { call: 'c3', tool: 'shell', session: 's2', result: failure('TIMEOUT', 'slow') })
    const found = async (filter: CallFilter) => (await log.calls(filter)).map(({ call }) => call)
    expect(await found({})).toEqual(['c3', 'c2', 'c1'])
    expect(await found({ session: 's1' })).toEqual(['c2', 'c1'])
    expect(await found({ tool: 'shell' })).toEqual(['c3', 'c2'])
    expect(await found({ decision: 'deny' })).toEqual(['c2'])
    expect(await found({ decision: 'allow' })).toEqual(['c3', 'c1'])
    expect(await found({ outcome: 'TIMEOUT' })).toEqual(['c3'])
    expect(await found({ outcome: 'ok' })).toEqual(['c1'])
    expect(await found({ call: 'c2' })).toEqual(['c2'])
    expect(await found({ tool: 'shell', session: 's1', decision: 'deny', outcome: 'BLOCKED' })).toEqual(['c2'])
    expect(await found({ since: Date.now() - 60_000 })).toEqual(['c3', 'c2', 'c1'])
    expect(await found({ since: Date.now() + 60_000 })).toEqual([])
  })

  it('pages through calls without missing or repeating one', async () => {
    const log = make()
    for (let i = 0; i < 25; i++) appendCall(log, { call: `c${i}` })
    const seen: string[] = []
    for (let page = await log.calls({ limit: 10 }); page.length > 0; ) {
      seen.push(...page.map(({ call }) => call))
      page = await log.calls({ limit: 10, before: page.at(-1)?.cursor ?? 0 })
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `c${24 - i}`))
  })

  it('reads the events of one call, though others run beside it', async () => {
    const log = make()
    const mine = callEvents({ call: 'c1' })
    const other = callEvents({ call: 'c2' })
    for (const [i, body] of mine.entries()) {
      log.append(body)
      const beside = other[i]
      if (beside) log.append(beside)
    }
    const events = await log.read({ call: 'c1' })
    expect(events.map(({ type }) => type)).toEqual(['call-start', 'call-judged', 'call-run', 'call-end'])
    expect(await log.read({ call: 'c9' })).toEqual([])
  })

  it('pages through the events of a session', async () => {
    const log = make()
    for (let i = 0; i < 100; i++) appendCall(log, { call: `c${i}`, session: i % 2 ? 'odd' : 'even' })
    const all = await log.read({ session: 'odd' })
    expect(all).toHaveLength(200)
    const first = await log.read({ session: 'odd', limit: 150 })
    const rest = await log.read({ session: 'odd', after: first.at(-1)?.cursor ?? 0, limit: 150 })
    expect([...first, ...rest]).toEqual(all)
  })

  it('lists sessions with what they began with and what changed since, the last used first', async () => {
    const log = make()
    log.append({ type: 'session-start', session: 'a', workspace: '/w', mode: 'ask', model: 'm1' })
    appendCall(log, { call: 'c1', session: 'a' })
    log.append({ type: 'session-start', session: 'b', workspace: '/v', mode: 'ask', parent: 'a' })
    log.append({ type: 'session-changed', session: 'a', title: 'A title', model: 'm2' })
    appendCall(log, { call: 'c3', session: 'a' })
    const names = async (filter: Parameters<Log['sessions']>[0]) =>
      (await log.sessions(filter)).map(({ session }) => session)
    expect(await log.sessions({ session: 'a' })).toMatchObject([
      { session: 'a', workspace: '/w', parent: null, title: 'A title', model: 'm2', mode: 'ask', calls: 2 },
    ])
    expect(new Set(await names({}))).toEqual(new Set(['a', 'b']))
    expect(await names({ limit: 1 })).toHaveLength(1)
    expect(await names({ workspace: '/v' })).toEqual(['b'])
    expect(await names({ parent: 'a' })).toEqual(['b'])
  })

  it('gives a session that names no model that of its first run', async () => {
    const log = make()
    log.append({ type: 'session-start', session: 'a', workspace: '/w', mode: 'ask' })
    log.append({ type: 'session-start', session: 'b', workspace: '/w', mode: 'ask', model: 'own' })
    for (const session of ['a', 'b'])
      for (const model of ['m1', 'm2']) log.append({ type: 'run-start', session, model, mode: 'plan' })
    for (const when of ['before', 'after'] as const) {
      if (when === 'after') await log.flush()
      expect(await log.sessions({ session: 'a' })).toMatchObject([{ model: 'm1', mode: 'ask' }])
      expect(await log.sessions({ session: 'b' })).toMatchObject([{ model: 'own', mode: 'ask' }])
    }
  })

  it('lets followers see each event once, in one order, from wherever they begin', async () => {
    const log = make()
    appendCall(log, { call: 'c1' })
    await log.flush()
    const middle = await log.end()
    const all = take(log, { after: 0 }, 12)
    const later = take(log, { after: middle }, 8)
    const fromNow = take(log, {}, 8)
    const other = take(log, { session: 's2' }, 4)
    appendCall(log, { call: 'c2' })
    await log.flush()
    appendCall(log, { call: 'c3', session: 's2' })
    const events = await all
    expect(events.map(({ cursor }) => cursor)).toEqual((await log.read()).map(({ cursor }) => cursor))
    expect(await later).toEqual(events.slice(4))
    expect(await fromNow).toEqual(events.slice(4))
    expect(await other).toEqual(events.slice(8))
  })

  it('lets a follower that is far behind see each event once', async () => {
    const log = make()
    for (let i = 0; i < 400; i++) appendCall(log, { call: `c${i}`, session: `s${i % 3}` })
    await log.flush()
    const seen = await take(log, { after: 0 }, 1_600)
    expect(seen.map(({ cursor }) => cursor)).toEqual(Array.from({ length: 1_600 }, (_, i) => i + 1))
    const ofOne = await take(log, { after: 0, session: 's1' }, 532)
    expect(ofOne).toEqual(seen.filter(({ session }) => session === 's1'))
  })

  it('ends a follower when its signal aborts, also while it waits', async () => {
    const log = make()
    const stop = new AbortController()
    const following = take(log, { after: 0, signal: stop.signal }, 1_000)
    appendCall(log, { call: 'c1' })
    await log.flush()
    stop.abort()
    expect((await following).length).toBeLessThanOrEqual(4)
    expect(await take(log, { after: 0, signal: AbortSignal.abort() }, 1)).toEqual([])
  })

  it('S0.12 keeps no secret of the arguments', async () => {
    const log = make()
    appendCall(log, { call: 'c1', arguments: { command: 'deploy --token abcd1234efgh' } })
    expect(JSON.stringify([await log.read(), await log.calls()])).not.toContain('abcd1234efgh')
    expect((await log.calls())[0]?.arguments).toMatch(/^{"command":"deploy --token \[masked [0-9a-f]{4}\]"}$/)
  })

  it('keeps events as they were when they were appended', async () => {
    const log = make()
    const text = 'null \u0000, lone \ud800, "quotes", \u2028 and 😀'
    log.append({ type: 'call-delta', session: 's', call: 'c', text, offset: 0 })
    const changing = { role: 'user' as const, content: text, calls: [{ call: 'c', name: 'n', arguments: { a: [1] } }] }
    log.append({ type: 'message', session: 's', ...changing })
    changing.calls[0]?.arguments.a.push(2)
    const [delta, message] = await log.read()
    expect(delta).toMatchObject({ type: 'call-delta', text, offset: 0 })
    expect(message).toMatchObject({ type: 'message', content: text })
  })

  it('keeps the pieces of a stream complete and in order, joined or not', async () => {
    const log = make()
    for (const [i, text] of ['one ', 'two ', 'three'].entries())
      log.append({ type: 'message-delta', session: 's', text, offset: i * 4 })
    log.append({ type: 'message-delta', session: 's', text: 'hm', offset: 0, reasoning: true })
    log.append({ type: 'message', session: 's', role: 'assistant', content: 'one two three' })
    const events = await log.read({ session: 's' })
    let text = ''
    for (const event of events) {
      if (event.type !== 'message-delta' || event.reasoning) continue
      expect(event.offset).toBe(text.length)
      text += event.text
    }
    expect(text).toBe('one two three')
    expect(events.at(-1)?.type).toBe('message')
  })

  it('may be closed twice', async () => {
    const storage = open()
    appendCall(storage.log, { call: 'c1' })
    storage.close()
    expect(() => storage.close()).not.toThrow()
  })
})

/** So many events of a follower. */
async function take(log: Log, options: Parameters<Log['follow']>[0], count: number): Promise<CommittedEvent[]> {
  const events: CommittedEvent[] = []
  for await (const event of log.follow(options)) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}
