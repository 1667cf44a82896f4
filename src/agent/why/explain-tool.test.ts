import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../../../test/support/example-host.ts'
import type { Event } from '../../core/session/event.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import { createHost } from '../../index.ts'
import { explainTool } from './explain-tool.ts'

let snapshot: Snapshot
beforeAll(async () => {
  const host = await createHost({ workspace: import.meta.dirname })
  snapshot = host.registry.snapshot()
  await host.close()
})

/** Numbers the events of a session. */
function session(...bodies: readonly object[]): Event[] {
  return bodies.map((body, index) => ({ session: 's', id: `e${index}`, at: index, ...body }) as Event)
}

const START = { type: 'session-start', workspace: '/w', mode: 'ask' }
const ASK = { type: 'message', role: 'user', content: 'go' }
const REPLY = { type: 'message', role: 'assistant', content: 'Fine.' }
const calling = (name: string, call = 'c1') => ({
  ...{ type: 'message', role: 'assistant', content: '' },
  calls: [{ call, name, arguments: {} }],
})
const began = { type: 'call-start', call: 'c1', name: 'shell', arguments: {} }
const ended = (result: object) => ({ type: 'call-end', call: 'c1', duration: 1, result })
const OK = ended({ ok: true, text: 'fine', data: null })
const runEnd = (reason: string, more: object = {}) => ({ type: 'run-end', reason, steps: 3, ...more })

const explain = (tool: string, ...bodies: readonly object[]) =>
  explainTool({ tool, snapshot, events: session(...bodies) })

test('S4.8 skipped: names the file, the line and the reason', () => {
  const skipped = [{ source: '/tools/invoices.py', line: 14, reason: "invoice_total: expected ':'" }]
  const given = { find: snapshot.find, nearest: snapshot.nearest, only: snapshot.only, skipped }
  expect(explainTool({ tool: 'invoice_total', snapshot: given, events: [] })).toEqual([
    { cause: 'skipped', text: "It was not loaded from /tools/invoices.py:14: invoice_total: expected ':'" },
  ])
})

test('S4.8 skipped: a real tool file that cannot be loaded is found by its name', async () => {
  const workspace = temporaryFolder()
  const home = temporaryFolder()
  mkdirSync(join(home, 'tools'))
  writeFileSync(join(home, 'tools/stock_list.py'), 'def stock_list(:\n')
  const host = await exampleHost({ workspace, home })
  const findings = explainTool({ tool: 'stock_list', snapshot: host.registry.snapshot(), events: [] })
  expect(findings).toMatchObject([{ cause: 'skipped', text: expect.stringContaining('stock_list.py') }])
})

test('unknown: says which names are near', () => {
  expect(explain('shel', START)).toMatchObject([{ cause: 'unknown', text: expect.stringContaining('shell') }])
})

test('not offered: the refusal of a tool with a longer name is not taken for its own', () => {
  const retry = (reason: string) => ({ type: 'model-retry', reason, seconds: 0 })
  const leftOut = {
    type: 'model-call',
    step: 1,
    usage: { input: 1, output: 1 },
    ms: 1,
    leftOut: ['shell', 'shell_all'],
  }
  expect(explain('shell', START, ASK, retry('shell: too deep.'), retry('shell_all: no type.'), leftOut)).toMatchObject([
    { cause: 'not-offered', text: expect.stringContaining('shell: too deep.') },
  ])
})

test('S4.8 not selected: names the tools that the session began with', () => {
  expect(explain('shell', { ...START, tools: ['read_file'] }, ASK, REPLY)).toEqual([
    {
      cause: 'not-selected',
      text: 'The session does not have it: the tools that it began with are read_file. Start a new one that names it in --tools.',
    },
  ])
  const control = explain('task_complete', { ...START, tools: ['read_file'] }, ASK, REPLY)
  expect(control).toMatchObject([{ cause: 'never-called' }])
  expect(explain('task_complete', { ...START, tools: [] }, ASK, REPLY)).toMatchObject([{ cause: 'not-selected' }])
})

test('S4.8 missing from the request: it was removed while the session went on, and not added since', () => {
  const changed = (change: object) => ({ type: 'tools-changed', added: [], removed: [], changed: [], ...change })
  const removed = changed({ removed: ['shell'] })
  expect(explain('shell', START, ASK, removed, REPLY)).toMatchObject([{ cause: 'not-offered' }])
  const back = explain('shell', START, ASK, removed, changed({ added: ['shell'] }), REPLY)
  expect(back).toMatchObject([{ cause: 'never-called' }])
})

test('no reply: the model was never reached, and why', () => {
  const failed = explain('shell', START, ASK, runEnd('failed', { summary: 'The server is not running.' }))
  expect(failed).toMatchObject([{ cause: 'no-reply', text: expect.stringContaining('The server is not running.') }])
  expect(explain('shell')).toMatchObject([{ cause: 'no-reply', text: expect.stringContaining('no session') }])
})

test('S4.8 never called: the model was told of it and called others', () => {
  const events = [START, ASK, calling('read_file'), REPLY, runEnd('reply')]
  expect(explain('shell', ...events)).toMatchObject([
    { cause: 'never-called', text: expect.stringContaining('2 replies, 1 calls of other tools') },
  ])
})

test('S4.8 misnamed: the model called a name that is not a tool', () => {
  expect(explain('shell', START, ASK, calling('shel'), REPLY, runEnd('reply'))).toMatchObject([
    { cause: 'misnamed', call: 'c1', text: expect.stringContaining('"shel"') },
  ])
})

test('S4.8 blocked: names the rule and its reason', () => {
  const judged = { type: 'call-judged', call: 'c1', decision: 'deny', rule: 'no_push', reason: 'not today', trace: [] }
  const blocked = ended({ ok: false, code: 'BLOCKED', text: 'Blocked.' })
  expect(explain('shell', START, ASK, calling('shell'), began, judged, blocked, REPLY)).toEqual([
    { cause: 'blocked', call: 'c1', text: 'The call was blocked by the rule no_push: not today' },
  ])
})

test('S4.8 denied: says by whom, why, and what to do where nobody could be asked', () => {
  const denied = ended({ ok: false, code: 'DENIED', text: 'Denied by user' })
  const answer = (by: string, reason?: string) => ({
    ...{ type: 'approval-answer', call: 'c1', approval: 'a', by },
    reply: { approved: false, ...(reason && { reason }) },
  })
  const before = [START, ASK, calling('shell'), began]
  expect(explain('shell', ...before, answer('terminal', 'too slow'), denied, REPLY)).toMatchObject([
    { cause: 'denied', text: 'The call was denied by terminal: too slow' },
  ])
  expect(explain('shell', ...before, answer('nobody'), denied, REPLY)).toMatchObject([
    { cause: 'denied', text: expect.stringContaining('nobody could be asked') },
  ])
})

test('failed: names the code', () => {
  const failed = ended({ ok: false, code: 'INVALID_ARGUMENTS', text: 'command is missing' })
  expect(explain('shell', START, ASK, calling('shell'), began, failed, REPLY)).toMatchObject([
    { cause: 'failed', text: 'The call failed with INVALID_ARGUMENTS: command is missing' },
  ])
})

test('not run: the call came after task_complete', () => {
  const both = {
    ...calling('shell', 'c2'),
    calls: [...calling('task_complete').calls, ...calling('shell', 'c2').calls],
  }
  const events = [START, ASK, both, { ...began, name: 'task_complete' }, OK, runEnd('complete')]
  expect(explain('shell', ...events)).toMatchObject([{ cause: 'not-run', call: 'c2' }])
})

test('unfinished: the call waits for approval, or was never started', () => {
  const asked = { type: 'approval-request', call: 'c1', approval: 'a7' }
  expect(explain('shell', START, ASK, calling('shell'), began, asked)).toMatchObject([
    { cause: 'unfinished', text: expect.stringContaining('haft approvals a7') },
  ])
  expect(explain('shell', START, ASK, calling('shell'))).toMatchObject([{ cause: 'unfinished' }])
})

test('S4.8 result not sent back: the next request failed', () => {
  expect(explain('shell', START, ASK, calling('shell'), began, OK, runEnd('failed'))).toMatchObject([
    { cause: 'not-sent', text: expect.stringContaining('the next request to the model failed') },
  ])
})

test('S4.8 step limit: before the call, and before its result was sent', () => {
  expect(explain('shell', START, ASK, calling('shell'), began, OK, runEnd('limit'))).toMatchObject([
    { cause: 'step-limit', call: 'c1' },
  ])
  expect(explain('shell', START, ASK, calling('read_file'), runEnd('limit'))).toMatchObject([{ cause: 'step-limit' }])
})

test('folded: the result was sent and later replaced by a note', () => {
  const folded = { type: 'context-folded', upTo: 'e1', outputs: ['c1'] }
  expect(explain('shell', START, ASK, calling('shell'), began, OK, folded, REPLY)).toMatchObject([{ cause: 'folded' }])
})

test('used: nothing kept it from being used, also when it was called by an alias', () => {
  const events = [START, ASK, calling('run_command'), began, OK, REPLY, runEnd('reply')]
  expect(explain('shell', ...events)).toMatchObject([{ cause: 'used', call: 'c1' }])
})
