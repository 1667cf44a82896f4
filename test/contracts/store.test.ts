import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEventMask } from '../../src/core/mask-event.ts'
import { failure, type Result } from '../../src/core/result.ts'
import type { KeptReplaced, Store } from '../../src/core/store.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { appendCall, callEvents } from '../support/call-events.ts'
import { temporaryFolder } from '../support/example-host.ts'
import { askedCall } from '../support/questions.ts'

const ADAPTERS: [string, () => Store][] = [
  ['memory', () => createMemoryStore({ mask: createEventMask() })],
  ['sqlite', () => openSqliteStore({ path: join(temporaryFolder(), 'log.db'), mask: createEventMask() })],
]

describe.each(ADAPTERS)('the %s store', (_, open) => {
  const make = () => {
    const store = open()
    onTestFinished(() => store.close())
    return store
  }

  it('gives every event its place and its time, rising', () => {
    const store = make()
    const events = ['a', 'b', 'c'].flatMap((call) => appendCall(store, { call }))
    const places = events.map(({ seq }) => seq)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(new Set(places).size).toBe(12)
    expect(store.events()).toEqual(events)
    for (const { at } of events) expect(Math.abs(Date.now() - at)).toBeLessThan(60_000)
  })

  it('goes on counting past many batches', () => {
    const store = make()
    for (let i = 0; i < 500; i++) appendCall(store, { call: `c${i}` })
    expect(store.events().map(({ seq }) => seq)).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 1))
  })

  it('S0.12 lists a call with when, which, arguments, decision, duration and outcome', () => {
    const store = make()
    const [start] = appendCall(store, { call: 'c1', tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } })
    expect(store.calls()).toEqual([
      {
        seq: start?.seq,
        session: 's1',
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

  it('tells tasks from other calls, and where each stands', () => {
    const store = make()
    const [start, judged, run, end] = callEvents({ call: 'c1' })
    appendCall(store, { call: 'c2' })
    const states = [start, judged, { type: 'task-start' as const, session: 's1', call: 'c1' }, run, end].map(
      (event) => {
        if (event) store.append(event)
        return store.calls({ isTask: true }).map(({ call, task }) => `${call} ${task}`)
      },
    )
    expect(states).toEqual([[], [], ['c1 queued'], ['c1 running'], ['c1 ended']])
  })

  it('shows a call under way without an outcome', () => {
    const store = make()
    for (const body of callEvents({ call: 'c1' }).slice(0, 2)) store.append(body)
    expect(store.calls()).toMatchObject([{ call: 'c1', decision: 'allow', ran: false, outcome: null, duration: null }])
    for (const body of callEvents({ call: 'c1' }).slice(2)) store.append(body)
    expect(store.calls()).toMatchObject([{ call: 'c1', ran: true, outcome: 'ok' }])
  })

  it('cuts long arguments but shows every key', () => {
    const store = make()
    appendCall(store, { call: 'c1', arguments: { content: 'x'.repeat(5_000), path: 'b.txt' } })
    const shown = store.calls()[0]?.arguments ?? ''
    expect(shown.length).toBeLessThanOrEqual(300)
    expect(shown).toContain('"path":"b.txt"')
  })

  it('finds calls by session, tool, decision, outcome, id and time, newest first', () => {
    const store = make()
    appendCall(store, { call: 'c1', tool: 'read_file' })
    appendCall(store, { call: 'c2', tool: 'shell', decision: 'deny' })
    appendCall(store, { call: 'c3', tool: 'shell', session: 's2', result: failure('TIMEOUT', 'slow') })
    const found = (filter: Parameters<Store['calls']>[0]) => store.calls(filter).map(({ call }) => call)
    expect(found({})).toEqual(['c3', 'c2', 'c1'])
    expect(found({ session: 's1' })).toEqual(['c2', 'c1'])
    expect(found({ tool: 'shell' })).toEqual(['c3', 'c2'])
    expect(found({ decision: 'deny' })).toEqual(['c2'])
    expect(found({ decision: 'allow' })).toEqual(['c3', 'c1'])
    expect(found({ outcome: 'TIMEOUT' })).toEqual(['c3'])
    expect(found({ outcome: 'ok' })).toEqual(['c1'])
    expect(found({ call: 'c2' })).toEqual(['c2'])
    expect(found({ callPrefix: 'c' })).toEqual(['c3', 'c2', 'c1'])
    expect(found({ callPrefix: 'c2' })).toEqual(['c2'])
    expect(found({ callPrefix: '2' })).toEqual([])
    expect(store.sessions(10, 's2').map(({ session }) => session)).toEqual(['s2'])
    expect(new Set(store.sessions(10, 's').map(({ session }) => session))).toEqual(new Set(['s1', 's2']))
    expect(store.sessions(10, 'x')).toEqual([])
    expect(found({ tool: 'shell', session: 's1', decision: 'deny', outcome: 'BLOCKED' })).toEqual(['c2'])
    expect(found({ since: Date.now() - 60_000 })).toEqual(['c3', 'c2', 'c1'])
    expect(found({ since: Date.now() + 60_000 })).toEqual([])
  })

  it('pages through calls without missing or repeating one', () => {
    const store = make()
    for (let i = 0; i < 25; i++) appendCall(store, { call: `c${i}` })
    const seen: string[] = []
    for (let page = store.calls({ limit: 10 }); page.length > 0; ) {
      seen.push(...page.map(({ call }) => call))
      page = store.calls({ limit: 10, before: page.at(-1)?.seq ?? 0 })
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `c${24 - i}`))
  })

  it('tells the story of one call, though another has the same id and others run beside it', () => {
    const store = make()
    appendCall(store, { call: 'c1', arguments: { path: 'first' } })
    const mine = callEvents({ call: 'c1', arguments: { path: 'second' } })
    const other = callEvents({ call: 'c2' })
    for (const [i, body] of mine.entries()) {
      store.append(body)
      const beside = other[i]
      if (beside) store.append(beside)
    }
    appendCall(store, { call: 'c1', arguments: { path: 'third' } })
    const second = store.calls({ call: 'c1' })[1]
    const story = store.events({ callSeq: second?.seq ?? -1 })
    expect(story.map(({ type }) => type)).toEqual(['call-start', 'call-judged', 'call-run', 'call-end'])
    expect(story[0]).toMatchObject({ arguments: { path: 'second' } })
    expect(store.events({ callSeq: 999_999 })).toEqual([])
  })

  it('pages through the events of a session', () => {
    const store = make()
    for (let i = 0; i < 100; i++) appendCall(store, { call: `c${i}`, session: i % 2 ? 'odd' : 'even' })
    const whole = store.events({ session: 'odd' })
    expect(whole).toHaveLength(200)
    const first = store.events({ session: 'odd', limit: 150 })
    const rest = store.events({ session: 'odd', after: first.at(-1)?.seq ?? 0, limit: 150 })
    expect([...first, ...rest]).toEqual(whole)
  })

  it('lists sessions, the last used first', () => {
    const store = make()
    appendCall(store, { call: 'c1', session: 'a' })
    appendCall(store, { call: 'c2', session: 'b' })
    appendCall(store, { call: 'c3', session: 'a' })
    expect(store.sessions().map(({ session, calls }) => [session, calls])).toContainEqual(['a', 2])
    expect(store.sessions()).toHaveLength(2)
    expect(store.sessions(1)).toHaveLength(1)
  })

  it('gives a follower what came since, once', () => {
    const store = make()
    appendCall(store, { call: 'c1' })
    const start = store.tail(-1)
    expect(start.events).toEqual([])
    const later = appendCall(store, { call: 'c2' })
    const next = store.tail(start.cursor)
    expect(next.events).toEqual(later)
    expect(store.tail(next.cursor)).toEqual({ events: [], cursor: next.cursor })
  })

  it('S0.12 keeps no secret of the arguments', () => {
    const store = make()
    appendCall(store, { call: 'c1', arguments: { command: 'deploy --token abcd1234efgh' } })
    expect(JSON.stringify([store.events(), store.calls()])).not.toContain('abcd1234efgh')
    expect(store.calls()[0]?.arguments).toBe('{"command":"deploy --token [masked]"}')
  })

  it('keeps events as they were when they were appended', () => {
    const store = make()
    const text = 'null \u0000, lone \ud800, "quotes", \u2028 and 😀'
    store.append({ type: 'call-delta', session: 's', call: 'c', text })
    expect(store.events()).toMatchObject([{ type: 'call-delta', text }])
  })

  it('keeps whole outputs, readable by line range', () => {
    const store = make()
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i + 1} \u0000`)
    store.keepOutput('c1', lines.join('\n'))
    expect(store.read('c1', 1, 2)).toEqual({ lines: lines.slice(0, 2), from: 1, to: 2, total: 30_000 })
    expect(store.read('c1', 14_000, 20_000)).toEqual({
      lines: lines.slice(13_999, 20_000),
      from: 14_000,
      to: 20_000,
      total: 30_000,
    })
    expect(store.read('c1', 29_999, 40_000)?.lines).toEqual(lines.slice(-2))
    expect(store.read('c1', 50_000, 50_001)).toMatchObject({ lines: [], total: 30_000 })
    expect(store.read('c2', 1, 2)).toBeUndefined()
    store.keepOutput('c1', 'shorter')
    expect(store.read('c1', 1, 9)).toEqual({ lines: ['shorter'], from: 1, to: 1, total: 1 })
  })

  it('keeps what changes of files replaced, in order, and finds the calls that made them', () => {
    const store = make()
    const calls = ['c1', 'c2', 'c3'].map((call) => callEvents({ call }))
    for (const body of calls.flatMap((events) => events.slice(0, -1))) store.append(body)
    const bytes = Uint8Array.from({ length: 2_500_000 }, (_, i) => i % 251)
    const records: KeptReplaced[] = [
      { call: 'c1', workspace: '/w', path: 'new', before: null, after: 'hash' },
      { call: 'c2', workspace: '/w', path: 'a', before: { type: 'file', mode: 0o640, bytes }, after: 'hash' },
      {
        call: 'c2',
        workspace: '/w',
        path: 'b',
        before: { type: 'file', mode: 0o644, bytes: new Uint8Array() },
        after: null,
      },
      { call: 'c2', workspace: '/w', path: 'l', before: { type: 'symlink', target: 'a' }, after: null },
      {
        call: 'c2',
        workspace: '/w',
        path: 'd',
        before: { type: 'directory', mode: 0o755 },
        after: null,
        movedFrom: 'e',
      },
      { call: 'c2', workspace: '/w', path: 'a', before: { type: 'file', mode: 0o640, bytes }, after: 'hash' },
      { call: 'c2', workspace: '/w', path: 'huge', before: { type: 'file', mode: 0o640, bytes: null }, after: null },
    ]
    for (const record of records) store.keepReplaced(record)
    for (const body of calls.flatMap((events) => events.slice(-1))) store.append(body)
    expect(store.replacedBy('c2').map(plainBytes)).toEqual(records.slice(1).map(plainBytes))
    expect(store.replacedBy('c3')).toEqual([])
    const changed = (filter: Parameters<Store['changedCalls']>[0]) => store.changedCalls(filter).map(({ call }) => call)
    expect(changed({})).toEqual(['c2', 'c1'])
    expect(changed({ limit: 1 })).toEqual(['c2'])
    expect(changed({ session: 's1', workspace: '/w' })).toEqual(['c2', 'c1'])
    expect(changed({ session: 's2' })).toEqual([])
    expect(changed({ workspace: '/elsewhere' })).toEqual([])
  })

  it('resolves durable waits, many at once', async () => {
    const store = make()
    const calls = Array.from({ length: 50 }, (_, i) => `c${i}`)
    await Promise.all(
      calls.map(async (call) => {
        for (const body of callEvents({ call }).slice(0, 3)) store.append(body)
        await store.begin({ session: 's1', call, effect: 'write', idempotent: false })
        for (const body of callEvents({ call }).slice(3)) store.append(body)
        await store.commit()
      }),
    )
    expect(store.calls({ outcome: 'ok' })).toHaveLength(50)
    expect(store.trouble()).toBeUndefined()
  })

  it('keeps a question until its call has ended, and takes one answer', async () => {
    const store = make()
    await askedCall(store, 'c1')
    expect(store.approval('a_c1')).toMatchObject({ input: { path: 'a', key: 'raw' }, answer: null })
    expect(store.approvals().map(({ question }) => question.approval)).toEqual(['a_c1'])
    expect([store.openApprovals(), store.approvalAnswer('a_c1')]).toEqual([['a_c1'], null])
    const yes = { reply: { approved: true, modifiedArgs: { path: 'b' } }, by: 'first', at: Date.now() } as const
    expect(store.answerApproval('a_c1', yes)).toBe(true)
    expect(store.answerApproval('a_c1', { reply: { approved: false }, by: 'second', at: Date.now() })).toBe(false)
    expect(store.approval('a_c1')?.answer).toEqual(yes)
    expect([store.openApprovals(), store.approvalAnswer('a_c1')]).toEqual([[], yes])
    expect(store.adoptApproval('a_c1')).toBe(false)
    store.settleApproval('a_c1')
    expect([store.approval('a_c1'), store.approvalAnswer('a_c1')]).toEqual([undefined, undefined])
    expect(store.approvals()).toEqual([])
  })

  it('takes no answer for a question it does not have, nor one after its time but that nobody answered', async () => {
    const store = make()
    await askedCall(store, 'c1', Date.now() - 1)
    const answer = { reply: { approved: true }, by: 'late', at: Date.now() } as const
    expect(store.answerApproval('a_nothing', answer)).toBe(false)
    expect(store.answerApproval('a_c1', answer)).toBe(false)
    expect(store.answerApproval('a_c1', { ...answer, reply: { approved: false }, by: 'expiry' })).toBe(true)
  })

  it('lists calls of which nothing was kept, with the reason, by workspace and session, newest first', async () => {
    const store = make()
    for (const [call, session] of [
      ['c1', 's1'],
      ['c2', 's2'],
      ['c3', 's1'],
    ] as const) {
      await beginCall(store, { call, session, tool: 'shell' })
      store.noteUnkept({ call, workspace: call === 'c3' ? '/other' : '/work', reason: `because ${call}` })
    }
    const found = (filter: Parameters<Store['unkeptCalls']>[0]) =>
      store.unkeptCalls(filter).map(({ record, reason }) => `${record.call} ${record.tool} ${reason}`)
    expect(found({})).toEqual(['c3 shell because c3', 'c2 shell because c2', 'c1 shell because c1'])
    expect(found({ workspace: '/work' })).toEqual(['c2 shell because c2', 'c1 shell because c1'])
    expect(found({ session: 's1', limit: 1 })).toEqual(['c3 shell because c3'])
  })

  it('gives a call to one undo at a time, and to no other once that worked, until it is undone itself', async () => {
    const store = make()
    for (const call of ['u1', 'u2', 'u3']) await beginCall(store, { call, tool: 'undo' })
    const end = (call: string, result: Result = { ok: true, text: '', data: null }) =>
      store.append({ type: 'call-end', session: 's1', call, result, duration: 1 })
    expect(store.undoOf('c1')).toBeUndefined()
    expect(store.claimUndo(['c1', 'c2'], 'u1')).toBeUndefined()
    expect(store.claimUndo(['c3', 'c2'], 'u2')).toEqual({ call: 'c2', undo: 'u1', isRunning: true })
    expect(store.undoOf('c3')).toBeUndefined()
    end('u1', failure('CONFLICT', 'no'))
    expect(store.claimUndo(['c3', 'c2'], 'u2')).toBeUndefined()
    end('u2')
    expect(store.claimUndo(['c2'], 'u3')).toEqual({ call: 'c2', undo: 'u2', isRunning: false })
    expect(store.claimUndo(['u2'], 'u3')).toBeUndefined()
    expect(store.undoOf('c2')).toEqual({ call: 'c2', undo: 'u2', isRunning: false })
    end('u3')
    expect(store.undoOf('c2')).toBeUndefined()
    expect(store.undoOf('u2')).toEqual({ call: 'u2', undo: 'u3', isRunning: false })
  })

  it('may be closed twice', () => {
    const store = make()
    appendCall(store, { call: 'c1' })
    store.close()
    expect(() => store.close()).not.toThrow()
  })
})

/** A call that has begun and may have its effect. */
async function beginCall(store: Store, sketch: Parameters<typeof callEvents>[0]): Promise<void> {
  for (const body of callEvents(sketch).slice(0, 3)) store.append(body)
  await store.begin({ session: sketch.session ?? 's1', call: sketch.call, effect: 'write', idempotent: false })
}

function plainBytes(record: KeptReplaced): object {
  const { before } = record
  return before?.type === 'file'
    ? { ...record, before: { ...before, bytes: before.bytes && Buffer.from(before.bytes).toString('base64') } }
    : record
}
