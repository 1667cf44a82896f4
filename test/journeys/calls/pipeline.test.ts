import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ApprovalRequest, Approver, Event, Host, Reply, Result } from '../../../src/index.ts'
import { defineTool, objectSchema, optional, string } from '../../../src/index.ts'
import { exampleHost, exampleTools } from '../../support/example-host.ts'

function typesOf(events: readonly Event[]): string[] {
  return events.map(({ type }) => type)
}

function codeOf(result: Result): string {
  return result.ok ? 'ok' : result.code
}

test('a call runs through every stage and logs its events in order', async () => {
  const host = await exampleHost()
  const heard: Event[] = []
  host.on((event) => heard.push(event))
  const result = await host.call('add_numbers', { a: 1, b: 2 })
  expect(result).toEqual({ ok: true, text: '{"sum":3}', data: { sum: 3 } })
  expect(typesOf(heard)).toEqual(['session-start', 'call-start', 'call-judged', 'call-run', 'call-end'])
  expect(await host.log.read()).toEqual(heard)
  expect(heard[0]).toMatchObject({ workspace: host.workspace, mode: 'ask', cursor: 1 })
  expect(heard[1]).toMatchObject({ name: 'add_numbers', arguments: { a: 1, b: 2 } })
  expect(heard[2]).toMatchObject({ decision: 'allow', rule: 'effect none' })
  expect(heard[4]).toMatchObject({ result })
})

test.for([
  ['text', '{"a":1,"b":2}', 0],
  ['a Markdown fence', '```json\n{"a":1,"b":2}\n```', 1],
  ['JSON in a string', '"{\\"a\\":1,\\"b\\":2}"', 1],
  ['a trailing comma', '{"a":1,"b":2,}', 1],
  ['single quotes', "{'a':1,'b':2}", 1],
  ['bare keys', '{a:1,b:2}', 1],
  ['a number as text', '{"a":"1","b":2}', 1],
  ['broken JSON in a string', "\"{'a':1,'b':2}\"", 1],
] as const)('arguments as %s are understood, and each repair is an event', async ([, given, repairs]) => {
  const host = await exampleHost()
  expect(await host.call('add_numbers', given)).toMatchObject({ ok: true, data: { sum: 3 } })
  expect(typesOf(await host.log.read()).filter((type) => type === 'call-repaired')).toHaveLength(repairs)
})

test.for([
  ['read_file', { file_path: 'a.txt' }, ['read file_path as path']],
  ['write_file', { filename: 'b.txt', file_text: 'x' }, ['read filename as path', 'read file_text as content']],
  [
    'edit_file',
    { path: 'a.txt', old_string: 'one', new_string: 'two', replace_all: true },
    [
      'put old_string, new_string, replace_all into edits',
      'read old_string as old',
      'read new_string as new',
      'read replace_all as replaceAll',
    ],
  ],
  [
    'edit_file',
    { file_path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] },
    ['read file_path as path', 'read oldText as old', 'read newText as new'],
  ],
  [
    'edit_file',
    { path: 'a.txt', edits: '[{"old_str":"one","new_str":"two"}]' },
    ['read edits as array: it was given as text', 'read old_str as old', 'read new_str as new'],
  ],
  [
    'edit_file',
    { path: 'a.txt', edits: { old: 'one', new: 'two' } },
    ['read edits as a list: it was given without brackets'],
  ],
  ['list_directory', { path: '.', include_hidden: 'true' }, undefined],
] as const)(
  '%s takes its arguments by the names that other agents use, and each is an event: %o',
  async ([tool, given, repairs]) => {
    const host = await exampleHost({ tools: [] })
    writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
    const result = await host.call(tool, given, { decision: 'allow' })
    expect(result).toMatchObject({ ok: true })
    const repaired = (await host.log.read()).flatMap((event) => (event.type === 'call-repaired' ? event.repairs : []))
    if (repairs) expect(repaired).toEqual(repairs)
    else expect(repaired).toHaveLength(2)
  },
)

test.for([
  ['read_file', { path: 'a.txt', file_path: 'b.txt' }],
  ['read_file', { file_path: 'a.txt', filename: 'b.txt' }],
  ['edit_file', { path: 'a.txt', edits: [{ old: 'one', new: 'two' }], old_string: 'x', new_string: 'y' }],
] as const)('an argument that is given by two names is refused: %s %o', async ([tool, given]) => {
  const host = await exampleHost({ tools: [] })
  writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
  expect(codeOf(await host.call(tool, given, { decision: 'allow' }))).toBe('INVALID_ARGUMENTS')
})

test.for([
  '{"a":1,"b":2',
  '{"a":1,"b":',
  '{"a":1,"b":2,"c":"cut o',
  '{"a":1,"b":[1,2',
  '{"a":1,"b":2,...}',
  '```json\n{"a":1,"b":2',
  '"{\\"a\\":1,\\"b\\":2',
  "{'a':1,'b':2",
  '{"a":1,"b":2}}',
  '{"a":1,"b":2} {"a":3,"b":4}',
])('a call that was cut off or holds more than one meaning is refused, never completed: %s', async (given) => {
  const host = await exampleHost()
  const result = await host.call('add_numbers', given)
  expect(codeOf(result)).toBe('INVALID_ARGUMENTS')
  expect(result.text).toContain('JSON')
  expect(typesOf(await host.log.read())).not.toContain('call-run')
})

test('a key given twice is refused, also when its two spellings differ', async () => {
  const host = await exampleHost()
  for (const given of ['{"a":1,"b":2,"a":3}', '{"a":1,"b":2,"\\u0061":3}', '{"a":1,"b":2,"a":3,}']) {
    const result = await host.call('add_numbers', given)
    expect(codeOf(result)).toBe('INVALID_ARGUMENTS')
    expect(result.text).toContain('"a" is given twice')
  }
})

test('unknown keys are refused with the known ones and the nearest', async () => {
  const host = await exampleHost()
  const result = await host.call('write_note', { pth: 'a', text: 'b' })
  expect(result.text).toContain('pth: unknown key; did you mean path? Known keys: path, text')
  expect(result.text).toContain('path: missing; expected string (Which note)')
})

test('prototype keys are harmless at any depth', async () => {
  const seen: unknown[] = []
  const probe = defineTool({
    name: 'probe',
    description: 'Keep what it is given.',
    input: { type: 'object', properties: { map: { type: 'object', description: 'Free keys' } }, required: ['map'] },
    effect: 'none',
    execute: (input) => void seen.push(input),
  })
  const host = await exampleHost({ tools: [...(await exampleTools()), probe] })
  await host.call('probe', '{"map":{"__proto__":{"polluted":1},"x":1}}')
  expect(seen).toEqual([{ map: { x: 1 } }])
  expect(Object.getPrototypeOf((seen[0] as { map: object }).map)).toBe(Object.prototype)
  expect(codeOf(await host.call('add_numbers', '{"a":1,"b":2,"constructor":3}'))).toBe('INVALID_ARGUMENTS')
})

test('the input is deeply frozen, and the caller’s object is not changed', async () => {
  let input: unknown
  const keep = defineTool({
    name: 'keep',
    description: 'Keep what it is given.',
    input: { type: 'object', properties: { list: { type: 'array', description: 'Anything' } } },
    effect: 'none',
    execute: (given) => {
      input = given
    },
  })
  const host = await exampleHost({ tools: [keep] })
  const mine = { list: [{ deep: [1] }] }
  await host.call('keep', mine)
  const frozen = input as typeof mine
  expect([frozen, frozen.list, frozen.list[0], frozen.list[0]?.deep].every(Object.isFrozen)).toBe(true)
  expect(Object.isFrozen(mine.list)).toBe(false)
})

test('S2.7 deny wins over allow, in whatever order the rules were added', async () => {
  for (const order of [
    ['allow', 'deny'],
    ['deny', 'allow'],
  ] as const) {
    const host = await exampleHost()
    for (const decision of order) host.addRule({ name: `${decision} adding`, decision, tools: ['add_*'] })
    const result = await host.call('add_numbers', { a: 1, b: 2 }, { decision: 'allow' })
    expect(codeOf(result)).toBe('BLOCKED')
    expect(result.text).toContain('rule "deny adding"')
  }
})

test('a rule that throws denies, under its own name', async () => {
  const host = await exampleHost()
  host.addRule({
    name: 'broken',
    decision: 'allow',
    when: () => {
      throw new Error('no idea')
    },
  })
  const result = await host.call('add_numbers', { a: 1, b: 2 })
  expect(codeOf(result)).toBe('BLOCKED')
  expect(result.text).toMatch(/broken.*no idea/)
})

test('a tool that cannot say what it touches is blocked', async () => {
  const vague = defineTool({
    name: 'vague',
    description: 'Vague.',
    input: objectSchema({}),
    effect: 'none',
    touches: () => {
      throw new Error('who knows')
    },
    execute: () => 'ran',
  })
  const host = await exampleHost({ tools: [vague] })
  expect(codeOf(await host.call('vague'))).toBe('BLOCKED')
})

test('a rule of one host does not leak into another', async () => {
  const strict = await exampleHost({ rules: [{ name: 'nothing', decision: 'deny' }] })
  const plain = await exampleHost()
  expect(codeOf(await strict.call('add_numbers', { a: 1, b: 2 }))).toBe('BLOCKED')
  expect(codeOf(await plain.call('add_numbers', { a: 1, b: 2 }))).toBe('ok')
})

test('rules match paths, hosts and arguments', async () => {
  const host = await exampleHost({
    rules: [
      { name: 'docs are free', decision: 'allow', effects: ['write'], paths: ['docs/**', '*.md'] },
      { name: 'no secrets', decision: 'deny', paths: ['**/*.key'], reason: 'keys are private' },
      { name: 'home', decision: 'allow', hosts: ['*.example.com'] },
      { name: 'not twice', decision: 'deny', tools: ['add_numbers'], arguments: { a: '^2$' } },
    ],
  })
  const decisionFor = async (name: string, args: object) => (await host.check(name, args)).decision
  expect(await decisionFor('write_note', { path: 'note.md', text: '' })).toBe('allow')
  expect(await decisionFor('write_note', { path: 'src/../docs/a/b.txt', text: '' })).toBe('allow')
  expect(await decisionFor('write_note', { path: 'docs/../src/a.ts', text: '' })).toBe('ask')
  expect(await decisionFor('write_note', { path: 'docs/my.key', text: '' })).toBe('deny')
  expect(await decisionFor('connect_host', { host: 'API.example.com' })).toBe('allow')
  expect(await decisionFor('connect_host', { host: 'example.com.evil.org' })).toBe('ask')
  expect(await decisionFor('add_numbers', { a: 2, b: 1 })).toBe('deny')
})

test.for([
  ['add_numbers', { a: 1, b: 2 }, 'allow', 'effect none'],
  ['read_note', { path: 'a' }, 'allow', 'effect read'],
  ['write_note', { path: 'a', text: '' }, 'ask', 'effect write'],
  ['connect_host', { host: 'a' }, 'ask', 'effect network'],
] as const)('with no rule, %s is decided by its effect', async ([name, args, decision, rule]) => {
  const host = await exampleHost()
  expect(await host.check(name, args)).toMatchObject({ decision, rule })
})

test('S1.9 a tool may say itself whether to ask, as a boolean or of the arguments', async () => {
  const make = (name: string, approval: boolean | (({ path }: { path?: string }) => boolean)) =>
    defineTool({
      name,
      description: 'Asks.',
      input: objectSchema({ path: optional(string('A path')) }),
      effect: 'write',
      approval,
      execute: () => 'ran',
    })
  const host = await exampleHost({
    tools: [make('never', false), make('always', true), make('sometimes', ({ path }) => path !== 'new')],
  })
  expect((await host.check('never')).decision).toBe('allow')
  expect((await host.check('always')).decision).toBe('ask')
  expect((await host.check('sometimes', { path: 'new' })).decision).toBe('allow')
  expect((await host.check('sometimes', { path: 'old' })).decision).toBe('ask')
  host.addRule({ name: 'all is well', decision: 'allow' })
  expect((await host.check('always')).decision).toBe('allow')
})

test("the declarations of a project's or a server's tool are not trusted", async () => {
  const sly = defineTool({
    name: 'sly',
    description: 'Harmless!',
    input: objectSchema({}),
    effect: 'none',
    approval: false,
    execute: () => 'ran',
  })
  const host = await exampleHost({
    tools: [],
    rules: [{ name: 'harmless runs', decision: 'allow', effects: ['none'] }],
  })
  host.registry.register(sly, { origin: 'mcp' })
  expect((await host.check('sly')).decision).toBe('ask')
  host.addRule({ name: 'nothing harmless', decision: 'deny', effects: ['none'] })
  expect((await host.check('sly')).decision).toBe('deny')
})

test('a path outside the workspace is refused before anyone is asked', async () => {
  const { host, requests } = await hostWithPerson({ approved: true })
  const result = await host.call('write_note', { path: '../evil', text: '' })
  expect(codeOf(result)).toBe('INVALID_PATH')
  expect(requests).toEqual([])
})

test('S4.6 a tool that throws is a result', async () => {
  const host = await exampleHost()
  expect(await host.call('fail_always', { message: 'the disk is on fire' })).toEqual({
    ok: false,
    code: 'EXECUTION_ERROR',
    text: 'the disk is on fire',
  })
  expect(codeOf(await host.call('fail_always'))).toBe('EXECUTION_ERROR')
})

test('the time limit ends the wait and says what became of the work', async () => {
  const host = await exampleHost()
  const deaf = await host.call('hang', {}, { timeout: 0.01 })
  expect(deaf).toMatchObject({
    ok: false,
    code: 'TIMEOUT',
    details: { work: 'running', partial: 'half a word', seconds: 0.01 },
  })
  expect(deaf.text).toContain('may still be running')
  const heeding = await host.call('hang', { stops: true }, { timeout: 0.01 })
  expect(heeding).toMatchObject({ ok: false, code: 'TIMEOUT', details: { work: 'stopped' } })
})

test('a cancelled call ends as CANCELLED, with its output until then, and no output after', async () => {
  const host = await exampleHost()
  const cancel = new AbortController()
  host.on((event) => event.type === 'call-delta' && event.text === 'word' && cancel.abort())
  const result = await host.call('hang', { stops: true }, { signal: cancel.signal })
  expect(result).toMatchObject({ ok: false, code: 'CANCELLED', details: { work: 'stopped', partial: 'half a word' } })
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(typesOf(await host.log.read()).at(-1)).toBe('call-end')
  expect(codeOf(await host.call('add_numbers', { a: 1, b: 1 }, { signal: cancel.signal }))).toBe('CANCELLED')
})

test('closing a host cancels what runs, and calls after it are refused', async () => {
  const host = await exampleHost()
  const running = host.call('hang', { stops: true })
  await host.close()
  expect(codeOf(await running)).toBe('CANCELLED')
  expect(codeOf(await host.call('add_numbers', { a: 1, b: 1 }))).toBe('CANCELLED')
})

test('S1.9 what a tool returns is checked against its output schema', async () => {
  const host = await exampleHost()
  const result = await host.call('bad_output')
  expect(codeOf(result)).toBe('EXECUTION_ERROR')
  expect(result.text).toContain('size: expected number, got string')
})

test('long text is cut to head and tail, and the full text can be read by line range', async () => {
  const host = await exampleHost()
  const result = await host.call('flood', { lines: 10_000 })
  expect(result.text.split('\n').length).toBeLessThanOrEqual(2_000)
  expect(result.text.length).toBeLessThanOrEqual(50_000)
  expect(result.text).toMatch(/^line 1\n/)
  expect(result.text).toMatch(/\nline 10000$/)
  const gap = /read_output (\{.*?\})/.exec(result.text)?.[1] ?? '{}'
  const { from, to } = JSON.parse(gap)
  const middle = await readAll(host, JSON.parse(gap))
  expect(middle).toEqual(Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`))
})

test('one endless line is folded, and every character of it can be read', async () => {
  const host = await exampleHost()
  const result = await host.call('flood', { width: 300_000 })
  expect(result.text.length).toBeLessThanOrEqual(50_000)
  const gap = JSON.parse(/read_output (\{.*?\})/.exec(result.text)?.[1] ?? '{}')
  expect((await readAll(host, { call: gap.call, from: 1, to: 75 })).join('')).toBe('w'.repeat(300_000))
})

/** Reads a range with as many calls as it takes. */
async function readAll(host: Host, { call, from, to }: { call: string; from: number; to: number }): Promise<string[]> {
  const lines: string[] = []
  for (let at = from; at <= to; ) {
    const part = await host.call('read_output', { call, from: at, to })
    if (!part.ok) throw new Error(part.text)
    const data = part.data as { lines: string[]; to: number }
    lines.push(...data.lines)
    at = data.to + 1
  }
  return lines
}

test('too much data is left out of the result, which says so, and is kept', async () => {
  const host = await exampleHost()
  const result = await host.call('flood', { items: 20_000 })
  expect(result).toMatchObject({ ok: true, data: { omitted: true } })
  const call = (result as { data: { read: { call: string } } }).data.read.call
  expect((await host.call('read_output', { call, from: 1, to: 1 })).text).toMatch(/^\[\{"item":0,/)
})

test('read_output says what is wrong with a range or an id', async () => {
  const host = await exampleHost()
  expect(await host.call('read_output', { call: 'nope' })).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' })
  expect(await host.call('read_output', { call: 'nope', from: 5, to: 2 })).toMatchObject({
    ok: false,
    code: 'INVALID_ARGUMENTS',
  })
})

/** A host with an approver that always gives the same answer. */
async function hostWithPerson(reply: Reply): Promise<{ host: Host; requests: ApprovalRequest[] }> {
  const requests: ApprovalRequest[] = []
  const approver: Approver = {
    ask: async (request) => {
      requests.push(request)
      return reply
    },
  }
  return { host: await exampleHost({ approver }), requests }
}

test('S1.11 a person is asked with tool, arguments, effects, reason and preview; yes runs it', async () => {
  const { host, requests } = await hostWithPerson({ approved: true })
  expect(codeOf(await host.call('write_note', { path: 'a.txt', text: 'hi' }))).toBe('ok')
  expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('hi')
  expect(requests).toMatchObject([
    {
      tool: 'write_note',
      arguments: { path: 'a.txt', text: 'hi' },
      effects: ['writes a.txt'],
      reason: 'it changes files',
      preview: { kind: 'diff', text: '+hi' },
    },
  ])
  expect(typesOf(await host.log.read())).toEqual([
    'session-start',
    'call-start',
    'call-judged',
    'approval-request',
    'approval-answer',
    'call-run',
    'call-end',
  ])
})

test('S1.11 no with a reason is DENIED, and nothing runs', async () => {
  const { host } = await hostWithPerson({ approved: false, reason: 'not today' })
  const result = await host.call('write_note', { path: 'a.txt', text: 'hi' })
  expect(result).toMatchObject({ ok: false, code: 'DENIED', details: { reason: 'not today' } })
  expect(result.text).toContain('Denied by user: not today')
  expect(existsSync(join(host.workspace, 'a.txt'))).toBe(false)
})

test('S1.11 changed arguments go through schema and rules again, and the result says what ran', async () => {
  const { host } = await hostWithPerson({ approved: true, modifiedArgs: { path: 'b.txt', text: 'mine' } })
  const result = await host.call('write_note', { path: 'a.txt', text: 'hi' })
  expect(result.text).toContain('A person changed the arguments; what ran: {"path":"b.txt","text":"mine"}')
  expect(readFileSync(join(host.workspace, 'b.txt'), 'utf8')).toBe('mine')
  host.addRule({ name: 'not b', decision: 'deny', paths: ['b.txt'] })
  expect(codeOf(await host.call('write_note', { path: 'a.txt', text: 'hi' }))).toBe('BLOCKED')
  const { host: sloppy } = await hostWithPerson({ approved: true, modifiedArgs: { path: 'b.txt', txt: 'mine' } })
  expect(codeOf(await sloppy.call('write_note', { path: 'a.txt', text: 'hi' }))).toBe('INVALID_ARGUMENTS')
})

test('an approver that fails, and a cancelled request, deny the call', async () => {
  const broken = await exampleHost({ approver: { ask: () => Promise.reject(new Error('no terminal')) } })
  expect((await broken.call('write_note', { path: 'a', text: '' })).text).toContain('no terminal')
  const cancel = new AbortController()
  const silent = await exampleHost({
    approver: {
      ask: () => {
        cancel.abort()
        return new Promise(() => undefined)
      },
    },
  })
  expect(codeOf(await silent.call('write_note', { path: 'a', text: '' }, { signal: cancel.signal }))).toBe('CANCELLED')
})

test('S2.9 a preset decision answers the approval request and never overrides a deny; with nobody to ask it is DENIED', async () => {
  const host = await exampleHost()
  expect(codeOf(await host.call('write_note', { path: 'a', text: '' }, { decision: 'allow' }))).toBe('ok')
  expect(codeOf(await host.call('write_note', { path: 'a', text: '' }, { decision: 'deny' }))).toBe('DENIED')
  const nobody = await host.call('write_note', { path: 'a', text: '' })
  expect(codeOf(nobody)).toBe('DENIED')
  expect(nobody.text).toContain('nobody to ask')
  host.addRule({ name: 'read-only', decision: 'deny', effects: ['write'] })
  expect(codeOf(await host.call('write_note', { path: 'a', text: '' }, { decision: 'allow' }))).toBe('BLOCKED')
})

test('check runs nothing, logs nothing, and says what prepare would refuse', async () => {
  const host = await exampleHost()
  const report = await host.check('write_note', "{'path':'a.txt','text':'x'}")
  expect(report).toMatchObject({
    decision: 'ask',
    arguments: { path: 'a.txt', text: 'x' },
    effects: ['writes a.txt'],
    repairs: ['repaired the JSON syntax'],
  })
  expect(await host.check('write_note', { path: '../outside.txt', text: 'x' })).toMatchObject({
    decision: 'ask',
    code: 'INVALID_PATH',
  })
  expect(await host.check('write_not', {})).toMatchObject({ decision: 'invalid', code: 'UNKNOWN_TOOL' })
  expect(await host.check('write_note', {})).toMatchObject({ decision: 'invalid', code: 'INVALID_ARGUMENTS' })
  expect(await host.log.read()).toEqual([])
  expect(existsSync(join(host.workspace, 'a.txt'))).toBe(false)
})

test('a listener that fails affects nobody else, is still called, and causes one warning', async () => {
  const host = await exampleHost()
  const heard: string[] = []
  let failures = 0
  const warnings = warningsFrom()
  host.on(({ type }) => {
    failures++
    throw new Error(`bad listener at ${type}`)
  })
  host.on(async () => {
    failures++
    throw new Error('rejecting listener')
  })
  const stop = host.on(({ type }) => heard.push(type))
  expect(codeOf(await host.call('add_numbers', { a: 1, b: 1 }))).toBe('ok')
  expect(heard).toHaveLength(5)
  stop()
  await host.call('add_numbers', { a: 1, b: 1 })
  expect(heard).toHaveLength(5)
  expect(failures).toBe(18)
  const later = 'It is still called; its further failures are not reported.'
  expect(await warnings()).toEqual([
    `A listener failed on session-start: bad listener at session-start. ${later}`,
    `A listener failed on session-start: rejecting listener. ${later}`,
  ])
})

test('a listener for approval requests that fails affects nobody else either', async () => {
  const host = await exampleHost({ wait: true })
  const warnings = warningsFrom()
  const asked: string[] = []
  host.approvals.on({
    asked({ request }) {
      asked.push(request.approval)
      throw new Error('bad front end')
    },
  })
  const calls = ['a', 'b'].map((path) => host.call('write_note', { path, text: '' }))
  await expect.poll(() => asked.length).toBe(2)
  for (const approval of asked) await host.approvals.answer(approval, { approved: true })
  expect((await Promise.all(calls)).map(codeOf)).toEqual(['ok', 'ok'])
  expect(await warnings()).toEqual([
    expect.stringContaining('A listener failed on an approval request: bad front end.'),
  ])
})

/** Gathers the warnings about listeners; the function it returns gives those of everything that was done before it is called. */
function warningsFrom(): () => Promise<string[]> {
  const heard: string[] = []
  const listener = ({ name, message }: Error) => {
    if (name === 'HaftListenerWarning') heard.push(message)
  }
  process.on('warning', listener)
  onTestFinished(() => void process.off('warning', listener))
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return heard
  }
}

test('calls by alias reach the tool; a tool sees the workspace, session and call it is in', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'n.txt'), 'noted')
  expect(await host.call('show_note', { path: 'n.txt' })).toMatchObject({ ok: true, text: 'noted' })
})
