import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type Rule, reads, type Tool, writes } from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'
import { startWaiting } from '../../support/waiting-call.ts'

const NOTE = z.object({
  path: z.string().trim().describe('Which note'),
  lines: z
    .string()
    .transform((text) => text.split('\n'))
    .describe('What it says'),
  mode: z.enum(['plain', 'loud']).default('plain').describe('How it says it'),
})

/** What a tool with that schema is given for `{path: ' a.txt ', lines: 'one\ntwo'}`. */
const PARSED = { path: 'a.txt', lines: ['one', 'two'], mode: 'plain' }
const SENT = { path: ' a.txt ', lines: 'one\ntwo' }

/** A tool that reports every value it is given, and by which of its members. */
function noteTool(given: [string, unknown][] = [], input: Tool['input'] = NOTE): Tool {
  const note = (member: string, value: unknown) => void given.push([member, value])
  return {
    name: 'note',
    description: 'Notes.',
    input,
    effect: 'write',
    main: 'path',
    touches(value) {
      note('touches', value)
      return []
    },
    approval(value) {
      note('approval', value)
      return true
    },
    prepare(value) {
      note('prepare', value)
      return undefined
    },
    execute(value) {
      note('execute', value)
      return 'noted'
    },
  }
}

test('S1.9 defaults, trimmed text and transforms of a Zod schema reach every member of the tool and every rule', async () => {
  const given: [string, unknown][] = []
  const rule: Rule = {
    name: 'watch',
    decision: 'ask',
    when(call) {
      given.push(['when', call.input])
      return false
    },
  }
  const host = await exampleHost({ tools: [noteTool(given)], rules: [rule] })
  expect(await host.call('note', SENT, { decision: 'allow' })).toMatchObject({ ok: true })
  expect(given).toEqual(['touches', 'when', 'prepare', 'approval', 'execute'].map((member) => [member, PARSED]))
})

test('the value is frozen as far as it is plain data, and what the author keeps stays as it was', async () => {
  const kept = { tags: ['a'] }
  const input = z.object({
    note: z
      .object({ tags: z.array(z.string()) })
      .default(kept)
      .describe('A note'),
  })
  const given: [string, unknown][] = []
  const host = await exampleHost({ tools: [noteTool(given, input)] })
  await host.call('note', {}, { decision: 'allow' })
  const value = given.at(-1)?.[1] as { note: typeof kept }
  expect(value).toEqual({ note: kept })
  for (const part of [value, value.note, value.note.tags]) expect(Object.isFrozen(part)).toBe(true)
  expect(Object.isFrozen(kept)).toBe(false)
})

test('an asynchronous schema is waited for', async () => {
  const input = z.object({
    path: z
      .string()
      .describe('Which')
      .transform(async (path) => `${path}.txt`),
  })
  const given: [string, unknown][] = []
  const host = await exampleHost({ tools: [noteTool(given, input)] })
  expect(await host.call('note', { path: 'a' }, { decision: 'allow' })).toMatchObject({ ok: true })
  expect(given.at(-1)).toEqual(['execute', { path: 'a.txt' }])
})

test('any Standard Schema gives its value, not Zod alone', async () => {
  const schema = { type: 'object', properties: { path: { type: 'string', description: 'Which' } } }
  const input = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value: unknown) => ({ value: { path: 'from own', sent: value } }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  } as const
  const given: [string, unknown][] = []
  const host = await exampleHost({ tools: [noteTool(given, input)] })
  await host.call('note', { path: 'a' }, { decision: 'allow' })
  expect(given.at(-1)).toEqual(['execute', { path: 'from own', sent: { path: 'a' } }])
})

class Place {
  readonly path: string
  constructor(path: string) {
    this.path = path
  }
}

test.for<readonly [string, () => unknown]>([
  ['a Date', () => new Date(0)],
  ['a Map', () => new Map([['a', 1]])],
  ['an instance of a class', () => new Place('a')],
  ['a function', () => () => 1],
  ['a bigint', () => 7n],
  ['a number that is none', () => Number.NaN],
  ['bytes', () => new Uint8Array([1, 2])],
  [
    'an object that holds itself',
    () => {
      const round: Record<string, unknown> = {}
      round.self = round
      return round
    },
  ],
])('%s, which JSON cannot represent, reaches the tool, and people see what was sent', async ([, make]) => {
  const made = make()
  const input = z.object({
    at: z
      .string()
      .describe('When')
      .transform(() => made),
  })
  const given: [string, unknown][] = []
  const host = await exampleHost({ tools: [noteTool(given, input)], wait: true })
  const calling = host.call('note', { at: 'now' })
  const { request } = await openRequest(host)
  expect(request.arguments).toEqual({ at: 'now' })
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: true })
  expect(given.at(-1)).toEqual(['execute', { at: made }])
})

test('a schema may give the tool something else than an object', async () => {
  const input = z.object({ path: z.string().describe('Which') }).transform(({ path }) => path.toUpperCase())
  const given: [string, unknown][] = []
  const host = await exampleHost({ tools: [noteTool(given, input)] })
  expect(await host.call('note', { path: 'a', background: true }, { decision: 'allow' })).toMatchObject({ ok: true })
  await expect.poll(() => given.at(-1)).toEqual(['execute', 'A'])
  expect((await host.check('note', { path: 'a' })).arguments).toEqual({ path: 'a' })
})

test('the approval request, the check and the log show the parsed value; the log also keeps what was sent', async () => {
  const host = await exampleHost({ tools: [noteTool()], wait: true })
  expect((await host.check('note', SENT)).arguments).toEqual(PARSED)
  const calling = host.call('note', SENT)
  const { request } = await openRequest(host)
  expect(request.arguments).toEqual(PARSED)
  await host.approvals.answer(request.approval, { approved: true })
  await calling
  const events = await host.log.read()
  expect(events.find(({ type }) => type === 'call-start')).toMatchObject({ arguments: SENT })
  expect(events.find(({ type }) => type === 'call-judged')).toMatchObject({ arguments: PARSED })
  expect(events.find(({ type }) => type === 'approval-request')).toMatchObject({ arguments: PARSED })
  expect(JSON.parse((await host.log.calls())[0]?.arguments ?? '')).toEqual(PARSED)
})

test('a schema that changes nothing logs its arguments once', async () => {
  const host = await exampleHost({ tools: [noteTool([], z.object({ path: z.string().describe('Which') }))] })
  await host.call('note', { path: 'a' }, { decision: 'allow' })
  expect((await host.log.read()).find(({ type }) => type === 'call-judged')).not.toHaveProperty('arguments')
})

test('a secret in the parsed value is masked in the approval request and in the log', async () => {
  const secret = `sk-${'a1B2'.repeat(10)}`
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  const input = z.object({ header: z.string().describe('A header').transform(decode) })
  const host = await exampleHost({ tools: [noteTool([], input)], wait: true })
  const calling = host.call('note', { header: Buffer.from(secret).toString('base64') })
  const { request } = await openRequest(host)
  expect(request.arguments).toEqual({ header: expect.stringMatching(/^\[masked [0-9a-f]{4}\]$/) })
  await host.approvals.answer(request.approval, { approved: true })
  await calling
  expect(JSON.stringify([await host.log.read(), await host.log.calls()])).not.toContain(secret)
})

test('containment looks at the parsed path', async () => {
  const input = z.object({
    path: z
      .string()
      .describe('Which')
      .transform((path) => `../${path}`),
  })
  const tool = defineTool({
    name: 'note',
    description: 'Notes.',
    input,
    effect: 'write',
    touches: ({ path }) => [writes(path)],
    execute: () => expect.unreachable(),
  })
  const host = await exampleHost({ tools: [tool] })
  expect(await host.call('note', { path: 'a' }, { decision: 'allow' })).toMatchObject({ code: 'INVALID_PATH' })
})

/** Reads the path that was sent with `secret/` before it. */
const HIDDEN = defineTool({
  name: 'peek',
  description: 'Reads.',
  input: z.object({
    path: z
      .string()
      .describe('Which')
      .transform((path) => `secret/${path}`),
    at: z
      .string()
      .default('')
      .describe('When')
      .transform((text) => new Date(text)),
  }),
  effect: 'read',
  main: 'path',
  touches: ({ path }) => [reads(path)],
  execute: ({ path }) => path,
})

test.for([
  ['paths', { paths: ['secret/**'] }],
  ['main', { main: ['^secret/'] }],
  ['arguments', { arguments: { path: '^secret/' } }],
  ['forbidden', { forbidden: ['secret'] }],
  ['when', { when: ({ input }) => (input as { path: string }).path.startsWith('secret/') }],
] as const satisfies readonly (readonly [string, Partial<Rule>])[])(
  'a rule on %s judges the parsed value, also beside a value that JSON cannot represent',
  async ([, members]) => {
    const rule: Rule = { name: 'no secrets', decision: 'deny', ...members }
    const host = await exampleHost({ tools: [HIDDEN], rules: [rule] })
    expect(await host.call('peek', { path: 'a' })).toMatchObject({ code: 'BLOCKED', details: { rule: 'no secrets' } })
  },
)

test('a rule on an argument that the schema parsed to a value that JSON cannot represent reads what was sent', async () => {
  const rule: Rule = { name: 'not then', decision: 'deny', arguments: { at: '^2030' } }
  const host = await exampleHost({ tools: [HIDDEN], rules: [rule] })
  expect(await host.call('peek', { path: 'a', at: '2030-01-01' })).toMatchObject({ code: 'BLOCKED' })
  expect(await host.call('peek', { path: 'a', at: '2031-01-01' })).toMatchObject({ ok: true })
})

test.for([
  ['an argument', { arguments: { at: '^2030' } }],
  ['the main parameter', { main: ['^2030'] }],
] as const)('an allow on %s does not match a parsed value that JSON cannot represent', async ([, members]) => {
  const rule: Rule = { name: 'then', decision: 'allow', tools: ['meet'], ...members }
  const field = z.string().describe('When')
  const meet = (at: z.ZodType) =>
    defineTool({
      name: 'meet',
      description: 'Meets.',
      input: z.object({ at }),
      effect: 'write',
      main: 'at',
      execute: () => 1,
    })
  const plain = await exampleHost({ tools: [meet(field)], rules: [rule] })
  expect(await plain.check('meet', { at: '2030-01-01' })).toMatchObject({ decision: 'allow' })
  const dated = await exampleHost({ tools: [meet(field.transform((text) => new Date(text)))], rules: [rule] })
  expect(await dated.check('meet', { at: '2030-01-01' })).toMatchObject({ decision: 'ask' })
})

test('an approved call whose value comes out the same runs with it', async () => {
  const given: [string, unknown][] = []
  const host = await exampleHost({ tools: [noteTool(given)], wait: true })
  const calling = host.call('note', SENT)
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: true })
  expect(given.at(-1)).toEqual(['execute', PARSED])
})

let count = 0
test.for([
  ['the time', () => z.number().default(() => performance.now())],
  ['a random number', () => z.number().default(() => Math.random())],
  ['a counter', () => z.string().transform((text) => `${text}${count++}`)],
  ['a Date of now', () => z.string().transform(() => new Date(count++))],
] as const)('a schema that parses to %s, another value after the yes, is a CONFLICT', async ([, field]) => {
  const given: [string, unknown][] = []
  const input = z.object({ at: field().describe('When') })
  const host = await exampleHost({ tools: [noteTool(given, input)], wait: true })
  const calling = host.call('note', field().safeParse(undefined).success ? {} : { at: 'x' })
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(given.some(([member]) => member === 'execute')).toBe(false)
})

test('a person edits what was sent, and the tool gets what the schema makes of that', async () => {
  const given: [string, unknown][] = []
  const host = await exampleHost({ tools: [noteTool(given)], wait: true })
  const calling = host.call('note', SENT)
  const { request } = await openRequest(host)
  expect(request.sent).toEqual(SENT)
  const modifiedArgs = { ...request.sent, lines: 'three' }
  expect(await host.approvals.check(request.approval, modifiedArgs)).toBeUndefined()
  await host.approvals.answer(request.approval, { approved: true, modifiedArgs })
  expect(await calling).toMatchObject({ ok: true, text: expect.stringContaining('(changed: lines)') })
  expect(given.at(-1)).toEqual(['execute', { ...PARSED, lines: ['three'] }])
})

test('a grant for exactly this call holds only while the schema gives the same value', async () => {
  let prefix = 'a'
  const input = z.object({
    path: z
      .string()
      .describe('Which')
      .transform((path) => prefix + path),
  })
  const host = await exampleHost({ tools: [noteTool([], input)], wait: true })
  const calling = host.call('note', { path: 'x' })
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true, grant: { scope: 'exact' } })
  await calling
  expect((await host.check('note', { path: 'x' })).decision).toBe('allow')
  prefix = 'b'
  expect((await host.check('note', { path: 'x' })).decision).toBe('ask')
})

test.for([
  ['throws', () => z.string().transform(() => Promise.reject(new Error('no such note'))), 'no such note'],
  [
    'throws at once',
    () =>
      z.string().transform(() => {
        throw new Error('no such note')
      }),
    'no such note',
  ],
  [
    'gives a value that cannot be read',
    () =>
      z.string().transform(() => ({
        get broken(): string {
          throw new Error('no such note')
        },
      })),
    'no such note',
  ],
  ['nests without end', () => z.string().transform(() => nested(10_000)), 'nested too deep'],
] as const)('a transform that %s refuses the call, which says so', async ([, field, expected]) => {
  const host = await exampleHost({ tools: [noteTool([], z.object({ path: field().describe('Which') }))] })
  const result = await host.call('note', { path: 'a' }, { decision: 'allow' })
  expect(result).toMatchObject({ code: 'INVALID_ARGUMENTS', text: expect.stringContaining(expected) })
  expect(result.text).toContain('note')
})

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

test('a transform that adds __proto__ gives the tool no such key and pollutes nothing', async () => {
  const evil = (text: string): unknown => JSON.parse(`{"path":${JSON.stringify(text)},"__proto__":{"polluted":1}}`)
  const given: [string, unknown][] = []
  const input = z.object({ note: z.string().describe('Which').transform(evil) })
  const host = await exampleHost({ tools: [noteTool(given, input)] })
  expect(await host.call('note', { note: 'a' }, { decision: 'allow' })).toMatchObject({ ok: true })
  const { note = {} } = (given.at(-1)?.[1] ?? {}) as { note?: object }
  expect(Object.getOwnPropertyNames(note)).toEqual(['path'])
  expect(note).not.toHaveProperty('polluted')
  expect({}).not.toHaveProperty('polluted')
})

test('a value that shares one part a billion times is handed over without being written out', async () => {
  let shared: unknown = ['x']
  for (let i = 0; i < 40; i++) shared = [shared, shared]
  const given: [string, unknown][] = []
  const input = z.object({
    path: z
      .string()
      .describe('Which')
      .transform(() => shared),
  })
  const host = await exampleHost({ tools: [noteTool(given, input)] })
  expect(await host.call('note', { path: 'a' }, { decision: 'allow' })).toMatchObject({ ok: true })
  expect((await host.check('note', { path: 'a' })).arguments).toEqual({ path: 'a' })
})

const ZOD_TOOL = `
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
export default {
  name: 'zod_note',
  description: 'Write a note.',
  input: z.object({
    path: z.string().trim().describe('Which'),
    text: z.string().default('default').transform((text) => text.toUpperCase()).describe('What'),
    made: z.number().default(FIELD).describe('When'),
  }),
  effect: 'write',
  touches: ({ path }) => [{ kind: 'writes', path }],
  execute({ path, text }, { workspace }) {
    writeFileSync(join(workspace, path), text)
    return 'written'
  },
}
`

test.for([
  ['runs, where its schema gives the same value', '1', 'ok'],
  ['is a CONFLICT, where it gives another', '() => performance.now()', 'CONFLICT'],
] as const)('a call taken over from a killed process is parsed again and %s', async ([, field, expected]) => {
  const program = buildProgram()
  writeFileSync(join(program.tools, 'zod-note.js'), ZOD_TOOL.replace('FIELD', field))
  const { id, open, kill } = await startWaiting(program, 'zod_note', { path: ' a.txt ' })
  expect(open.arguments).toMatchObject({ path: 'a.txt', text: 'DEFAULT' })
  await kill()
  const { stdout } = await haft(program, ['approvals', id, 'yes', '--json'])
  const { result } = JSON.parse(stdout)
  expect(result.ok ? 'ok' : result.code).toBe(expected)
  const file = join(program.workspace, 'a.txt')
  expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(expected === 'ok' ? 'DEFAULT' : undefined)
})

test('haft log shows what was sent and what the tool got', async () => {
  const program = buildProgram()
  writeFileSync(join(program.tools, 'zod-note.js'), ZOD_TOOL.replace('FIELD', '1'))
  expect(await haft(program, ['call', 'zod_note', '{"path":" a.txt "}', '--yes'])).toMatchObject({ code: 0 })
  const listed = await haft(program, ['log', '--json'])
  const [call] = JSON.parse(listed.stdout).calls
  expect(JSON.parse(call.arguments)).toEqual({ path: 'a.txt', text: 'DEFAULT', made: 1 })
  const { stdout } = await haft(program, ['log', call.call])
  expect(stdout).toContain('" a.txt "')
  expect(stdout).toContain('"a.txt"')
})
