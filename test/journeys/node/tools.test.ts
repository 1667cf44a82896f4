import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as haft from '../../../src/index.ts'
import * as authors from '../../../src/sources/node/child/haft.ts'
import { eventually, findProcesses } from '../../support/processes.ts'
import { folderHost } from '../../support/tool-folder.ts'

const plain = (name: string, body: string, more = '') => `export default {
  name: '${name}', description: 'It', effect: 'none', input: { type: 'object' }, ${more}
  execute: async (input, context) => { ${body} },
}`

test("S1.9 the document's tool shape works: zod schemas, approval as a function, results with ok", async () => {
  const { host } = await folderHost({
    'read_note.ts': `
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const inputSchema = z.object({
  path: z.string().describe('Path relative to the workspace root'),
  encoding: z.enum(['utf-8', 'base64']).optional().describe('How it is returned'),
}).describe('read_note input')

export const readNoteTool = {
  name: 'read_note',
  description: 'Read a note',
  inputSchema,
  outputSchema: z.object({ content: z.string(), size: z.number() }),
  requiresApproval: (args: { path: string }) => args.path.startsWith('private'),
  async execute(args: unknown, context: { workspace: string }) {
    const { path, encoding = 'utf-8' } = inputSchema.parse(args)
    const full = join(context.workspace, path)
    if (path === 'odd') return { ok: true, value: { content: 1 } }
    if (!existsSync(full)) return { ok: false, error: { code: 'FILE_NOT_FOUND', message: path + ' is not there', details: { path } } }
    const content = readFileSync(full, encoding as BufferEncoding)
    return { ok: true, value: { content, size: content.length } }
  },
}`,
  })
  writeFileSync(join(host.workspace, 'a.txt'), 'hello')
  expect(await host.call('read_note', { path: 'a.txt' })).toMatchObject({
    ok: true,
    data: { content: 'hello', size: 5 },
  })
  expect(await host.call('read_note', { path: 'b.txt' })).toEqual({
    ...{ ok: false, code: 'FILE_NOT_FOUND', text: 'b.txt is not there', details: { path: 'b.txt' } },
  })
  expect(await host.call('read_note', { path: 'odd' })).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(await host.call('read_note', { path: 'private' })).toMatchObject({ ok: false, code: 'DENIED' })
  expect(await host.call('read_note', { path: 'a.txt', encoding: 'x' })).toMatchObject({ code: 'INVALID_ARGUMENTS' })
})

test('S1.9 a defineTool object: touches and preview are known before it runs, and its schema parses', async () => {
  const { host } = await folderHost({
    'plan.ts': `
import { defineTool, reads, ToolError, answer } from 'haft'
import { z } from 'zod'
export default defineTool({
  name: 'plan_day', description: 'Plan a day', effect: 'read', approval: true, timeout: () => 7,
  input: z.object({ day: z.iso.date().transform((day) => new Date(day)).describe('Which day'), hours: z.number().default(8).describe('How long'), from: z.string().default('a.txt').describe('Where from') }),
  touches: ({ from }) => [reads(from)],
  prepare: ({ day }, { workspace }) => ({ preview: { kind: 'text', text: 'year ' + day.getUTCFullYear() + ' in ' + workspace } }),
  execute({ day, hours }, { call, delta }) {
    if (hours > 24) throw new ToolError('CONFLICT', 'a day has 24 hours', { details: { hours } })
    delta('thinking')
    return answer('planned ' + day.toISOString() + ' for ' + hours, { call: typeof call, isDate: day instanceof Date })
  },
})`,
  })
  const shown: unknown[] = []
  const approver: haft.Approver = {
    ask: async ({ preview, effects }) => {
      shown.push(preview, effects)
      return { approved: true }
    },
  }
  const result = await host.call('plan_day', { day: '2026-03-04' }, { approver })
  expect(result).toEqual({
    ok: true,
    text: 'planned 2026-03-04T00:00:00.000Z for 8',
    data: { call: 'string', isDate: true },
  })
  expect(shown).toEqual([{ kind: 'text', text: `year 2026 in ${host.workspace}` }, ['reads a.txt']])
  expect(await host.call('plan_day', { day: '2026-03-04', hours: 25 }, { approver })).toEqual({
    ...{ ok: false, code: 'CONFLICT', text: 'a day has 24 hours', details: { hours: 25 } },
  })
  expect(await host.call('plan_day', { day: '2026-03-04', from: '.ssh/id_rsa' }, { approver })).toMatchObject({
    code: 'BLOCKED',
  })
  expect(await host.call('plan_day', { day: 'soon' }, { approver })).toMatchObject({ code: 'INVALID_ARGUMENTS' })
})

test('S0.1 specs in the style of OpenAI, a list TOOL_SPECS with plain functions, and CommonJS are tools too', async () => {
  const { host, names, skipped } = await folderHost({
    'openai.mjs': `export const weather = {
  type: 'function',
  function: { name: 'weather', description: 'Tell the weather', parameters: { type: 'object', properties: { city: { type: 'string', description: 'Where' } }, required: ['city'] } },
  handler: ({ city }) => ({ city, degrees: 21 }),
}`,
    'specs.mts': `
export function add({ a, b }: { a: number; b: number }) { return a + b }
export const shout = async ({ text }: { text: string }) => text.toUpperCase()
const number = (description: string) => ({ type: 'number', description })
export const TOOL_SPECS = [
  { name: 'add', description: 'Add', parameters: { type: 'object', properties: { a: number('a'), b: number('b') }, required: ['a', 'b'] } },
  { name: 'shout_it', description: 'Shout', handler: 'shout', parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
]`,
    'common.js': `const { EOL } = require('node:os')
module.exports = { eol: { name: 'eol', description: 'The end of a line', parameters: { type: 'object' }, handler: () => EOL } }`,
    '_helper.ts': 'throw new Error("not a tool file")',
    'notes.txt': 'nothing',
    'types.d.ts': 'export {}',
  })
  expect(names()).toEqual(['eol', 'weather', 'add', 'shout_it'])
  expect(skipped()).toEqual([
    expect.stringMatching(/^specs.mts:7: the tool "shout_it" is offered, but its parameter "text" has no description/),
  ])
  expect(await host.call('weather', { city: 'Rome' })).toMatchObject({ text: '{"city":"Rome","degrees":21}' })
  expect(await host.call('add', { a: 1, b: 2 })).toMatchObject({ ok: true, data: 3 })
  expect(await host.call('shout_it', { text: 'hi' })).toMatchObject({ ok: true, text: 'HI' })
  expect(await host.call('eol')).toMatchObject({ ok: true, text: '\n' })
  expect(await host.call('weather', { town: 'Rome' })).toMatchObject({ code: 'INVALID_ARGUMENTS' })
})

test('S0.2 S0.3 every file that is wrong is skipped alone, with file, line and reason', async () => {
  const { names, skipped, host } = await folderHost({
    'a-good.ts': plain('good', 'return 1'),
    'b-enum.ts': 'const a = 1\nenum Color { Red }\nexport default a',
    'c-syntax.ts': 'export const a: number = 1\nconst = 3\n',
    'd-syntax.js': 'export const a = 1\n\nconst = 3\n',
    'e-throws.ts': 'export const a = 1\n\n\nthrow new Error("no key")\n',
    'f-import.ts': 'import x from "not-installed"\nexport default x',
    'g-nothing.ts': 'export const a = 1',
    'h-exits.ts': 'process.exit(3)',
    'i-duplicate.ts': plain('good', 'return 2'),
    'j-built-in.ts': plain('read_file', 'return 2'),
    'k-two.ts': `export const TOOL_SPECS = [
  { name: 'fine', description: 'Fine', parameters: { type: 'object' }, handler: () => 1 },
  { name: 'no_description', parameters: { type: 'object' }, handler: () => 1 },
  { name: 'no_handler', description: 'It', parameters: { type: 'object' } },
  { name: 'no_object', description: 'It', parameters: { type: 'string' }, handler: () => 1 },
  { name: 'bad_effect', description: 'It', effect: 'all', parameters: { type: 'object' }, handler: () => 1 },
  7,
]`,
    'l-steps.ts': `import { pipeline } from 'haft'\nexport default { name: 'stepper', description: 'It', input: { type: 'object' }, steps: () => pipeline(), execute: () => 1 }`,
    'm-unwritable.ts': `import { z } from 'zod'\nexport default { name: 'odd', description: 'It', input: z.object({ a: z.map(z.string(), z.string()) }), execute: () => 1 }`,
    'n-also-good.ts': plain('also_good', 'return 3'),
  })
  expect(names()).toEqual(['good', 'fine', 'also_good'])
  expect(skipped().toSorted()).toEqual([
    expect.stringMatching(/^b-enum.ts:2: it uses TypeScript that has to be compiled.*enum/),
    expect.stringMatching(/^c-syntax.ts:2: it has a syntax error: /),
    expect.stringMatching(/^d-syntax.js:3: it has a syntax error: /),
    'e-throws.ts:4: it could not be loaded: no key',
    expect.stringMatching(/^f-import.ts:-: it could not be loaded: Cannot find package 'not-installed'/),
    expect.stringMatching(/^g-nothing.ts:-: it exports no tool; expected/),
    expect.stringMatching(/^h-exits.ts:-: it ended the process while it was loaded: exit code 3/),
    expect.stringMatching(/^i-duplicate.ts:2: the name "good" is taken by a tool from .*a-good.ts:2$/),
    expect.stringMatching(/^j-built-in.ts:2: the name "read_file" is taken by a built-in tool$/),
    expect.stringMatching(/^k-two.ts:-: TOOL_SPECS\[5\] is not an object/),
    expect.stringMatching(/^k-two.ts:3: tool "no_description" has no description/),
    expect.stringMatching(/^k-two.ts:4: tool "no_handler" has neither execute nor handler/),
    expect.stringMatching(/^k-two.ts:5: the input schema of tool "no_object" must have the root/),
    expect.stringMatching(/^k-two.ts:6: tool "bad_effect" has the effect "all"/),
    expect.stringMatching(/^l-steps.ts:2: tool "stepper" has steps/),
    expect.stringMatching(/^m-unwritable.ts:2: the input schema of tool "odd" cannot be written as JSON Schema/),
  ])
  expect(await host.call('good')).toMatchObject({ ok: true, data: 1 })
  expect(await host.call('also_good')).toMatchObject({ ok: true, data: 3 })
})

const HOSTILE: readonly (readonly [string, string, Partial<haft.Failure>])[] = [
  [
    'throws',
    'throw new Error("no luck")',
    { code: 'EXECUTION_ERROR', text: expect.stringMatching(/^no luck\n {2}bad\.js:3 in \S+: execute: .*no luck/) },
  ],
  ['throws nothing', 'throw undefined', { code: 'EXECUTION_ERROR' }],
  ['calls process.exit', 'process.exit(3)', { code: 'EXECUTION_ERROR', text: expect.stringContaining('exit code 3') }],
  ['aborts', 'process.abort()', { code: 'EXECUTION_ERROR', text: expect.stringContaining('SIGABRT') }],
  [
    'kills itself',
    'process.kill(process.pid, "SIGKILL"); await new Promise(() => {})',
    { code: 'EXECUTION_ERROR', text: expect.stringContaining('SIGKILL') },
  ],
  ['loops for ever', 'for (;;);', { code: 'TIMEOUT', text: expect.stringContaining('Its process was ended') }],
  [
    'never answers',
    'await new Promise(() => setInterval(() => 1, 1000))',
    { code: 'TIMEOUT', text: expect.stringContaining('Its process was ended') },
  ],
  [
    'leaves a rejection',
    'Promise.reject(new Error("lost")); await new Promise(() => {})',
    {
      code: 'EXECUTION_ERROR',
      text: expect.stringMatching(/^a rejection that its tool did not handle: lost\n {2}bad\.js:3 /),
    },
  ],
  [
    'throws in a timer',
    'setTimeout(() => { throw new Error("late") }); await new Promise(() => {})',
    {
      code: 'EXECUTION_ERROR',
      text: expect.stringMatching(/^an error that its tool did not catch: late\n {2}bad\.js:3 /),
    },
  ],
  [
    'returns itself',
    'const a = {}; a.a = a; return a',
    { code: 'EXECUTION_ERROR', text: expect.stringContaining('cannot be turned into JSON') },
  ],
  [
    'returns a BigInt',
    'return { a: 1n }',
    { code: 'EXECUTION_ERROR', text: expect.stringContaining('cannot be turned into JSON') },
  ],
  ['returns a function', 'return () => 1', { code: 'EXECUTION_ERROR', text: expect.stringContaining('is a function') }],
  [
    'returns 60 MB',
    'return "x".repeat(60_000_000)',
    { code: 'TOO_LARGE', text: expect.stringContaining('larger than 50 MB') },
  ],
  [
    'asks for what it is not offered',
    'return context.files.read("a")',
    { code: 'EXECUTION_ERROR', text: expect.stringContaining('context.files') },
  ],
]

test.for(HOSTILE)('S0.6 a tool that %s fails clearly, and the next call works', async ([, body, expected]) => {
  const { host } = await folderHost({ 'bad.js': plain('bad', body), 'good.js': plain('good', 'return "fine"') })
  expect(await host.call('bad', {}, { timeout: expected.code === 'TIMEOUT' ? 0.5 : 30 })).toMatchObject({
    ok: false,
    ...expected,
  })
  expect(await host.call('good')).toEqual({ ok: true, text: 'fine', data: 'fine' })
})

test('S0.6 prints, garbage on the descriptor of the answers and a closed standard input harm nothing', async () => {
  const { host } = await folderHost({
    'noisy.js': plain(
      'noisy',
      `console.log('printed', 1); console.error('warned'); process.stdout.write(Buffer.from('bytes'));
       require('node:child_process').execFileSync('sh', ['-c', 'echo child; echo child >&2'], { stdio: 'inherit' });
       require('node:fs').writeSync(4, 'no json\\n{"type":"done","id":77}\\n[]\\n{"type":"loaded","files":7}\\n');
       process.stdin.read(); context.log('logged', { a: 1 }); context.progress('half'); return 'done'`,
    ).replace(
      'export default',
      "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); export default",
    ),
  })
  let output = ''
  host.on((event) => {
    if (event.type === 'call-delta') output += event.text
  })
  expect(await host.call('noisy')).toEqual({ ok: true, text: 'done', data: 'done' })
  expect(output).toBe('printed 1\nwarned\nbyteslogged {"a":1}\nhalf\n')
})

test('a call that is cancelled can stop by itself, and the process stays', async () => {
  const { host } = await folderHost({
    'wait.js': plain(
      'wait',
      'context.delta("pid " + process.pid); await new Promise((_, fail) => context.signal.addEventListener("abort", () => fail(context.signal.reason)))',
    ),
    'pid.js': plain('pid', 'return process.pid'),
  })
  const stop = new AbortController()
  host.on((event) => {
    if (event.type === 'call-delta') stop.abort()
  })
  const result = await host.call('wait', {}, { signal: stop.signal })
  expect(result).toMatchObject({ code: 'CANCELLED', details: { work: 'stopped' } })
  const partial = result.ok ? '' : result.details?.partial
  expect(partial).toBe(`pid ${(await host.call('pid')).text}`)
})

test('S0.6 a process that ends takes only its own calls along, and a stuck one lets others finish', async () => {
  const { host } = await folderHost({
    'hold.js': plain(
      'hold',
      `context.log('begun'); const { existsSync } = await import('node:fs'); while (!existsSync(context.workspace + '/go')) await new Promise((r) => setTimeout(r, 5)); return 'held'`,
    ),
    'exit.js': plain('exit', 'process.exit(9)'),
    'stuck.js': plain('stuck', 'await new Promise(() => setInterval(() => 1, 1000))'),
  })
  const begun = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const off = host.on((event) => {
      if (event.type !== 'call-delta') return
      off()
      resolve()
    })
    return promise
  }
  const first = begun()
  const held = host.call('hold')
  await first
  expect(await host.call('exit')).toMatchObject({
    code: 'EXECUTION_ERROR',
    text: expect.stringContaining('exit code 9'),
  })
  expect(await held).toMatchObject({ code: 'INTERRUPTED', text: expect.stringContaining('ended by another call') })
  const second = begun()
  const again = host.call('hold')
  await second
  expect(await host.call('stuck', {}, { timeout: 0.1 })).toMatchObject({ code: 'TIMEOUT' })
  writeFileSync(join(host.workspace, 'go'), '')
  expect(await again).toMatchObject({ ok: true, text: 'held' })
})

test('a touches function that throws or hangs denies the call, and nothing is run', async () => {
  const { host } = await folderHost({
    'throws.js': plain('throws', `require('node:fs')`, 'touches: () => { throw new Error("cannot say") },'),
    'odd.js': plain('odd', 'return 1', 'touches: () => [{ kind: "burns", path: "a" }],'),
    'exits.js': plain('exits', 'return 1', 'touches: () => process.exit(1),'),
  })
  expect(await host.call('throws')).toMatchObject({ code: 'BLOCKED', text: expect.stringContaining('cannot say') })
  expect(await host.call('odd')).toMatchObject({ code: 'BLOCKED' })
  expect(await host.call('exits')).toMatchObject({ code: 'BLOCKED', text: expect.stringContaining('exit code 1') })
})

test('an image is carried as data, from bytes with a MIME type or from a file', async () => {
  const { host } = await folderHost({
    'draw.ts': `import { writeFileSync } from 'node:fs'
const spec = { description: 'It', effect: 'none', parameters: { type: 'object' } }
export const bytes = { ...spec, name: 'bytes', handler: () => ({ image: new Uint8Array([1, 2, 3]), mimeType: 'image/png', text: 'a dot' }) }
export const file = { ...spec, name: 'file', handler: (_, { workspace }) => {
  writeFileSync(workspace + '/plot.jpg', 'abc')
  return { imagePath: workspace + '/plot.jpg' } } }
export const untyped = { ...spec, name: 'untyped', handler: () => ({ image: new Uint8Array([1]) }) }
export const missing = { ...spec, name: 'missing', handler: () => ({ imagePath: '/no/such.png' }) }
export const big = { ...spec, name: 'big', handler: () => ({ image: new Uint8Array(1_000_001), mimeType: 'image/png' }) }
export const large = { ...spec, name: 'large', handler: () => ({ image: new Uint8Array(20_000_001), mimeType: 'image/png' }) }
export const other = { ...spec, name: 'other', handler: () => ({ image: 'a text', size: 1 }) }`,
  })
  const image = { name: 'image', mediaType: 'image/png', content: 'AQID', encoding: 'base64' }
  expect(await host.call('bytes')).toEqual({ ok: true, text: 'a dot', data: { image } })
  expect(await host.call('file')).toMatchObject({
    text: 'Image plot.jpg (image/jpeg, 3 bytes).',
    data: { image: { name: 'plot.jpg', mediaType: 'image/jpeg', content: 'YWJj' } },
  })
  expect(await host.call('untyped')).toMatchObject({ ok: false, text: expect.stringContaining('needs a mimeType') })
  expect(await host.call('missing')).toMatchObject({ ok: false, text: expect.stringContaining('/no/such.png') })
  expect(await host.call('big')).toMatchObject({
    text: expect.stringContaining('The image is not shown: it has 1000001 bytes'),
    data: { omitted: true, mediaType: 'image/png', size: 1_000_001 },
  })
  expect(await host.call('large')).toMatchObject({ ok: false, code: 'TOO_LARGE' })
  expect(await host.call('other')).toMatchObject({ ok: true, data: { image: 'a text', size: 1 } })
})

test('S0.1 touches may be given as data, as in a Python spec: the parameters that hold paths', async () => {
  const spec = (
    name: string,
    touches: string,
  ) => `{ name: '${name}', description: 'It', effect: 'read', touches: ${touches}, handler: () => 1,
    parameters: { type: 'object', properties: { path: { type: 'string', description: 'One' }, more: { type: 'array', items: { type: 'string' }, description: 'More' } } } }`
  const { host, names, skipped } = await folderHost({
    'a.js': `export const TOOL_SPECS = [${spec('look', "{ reads: ['path', 'more'] }")}, ${spec('odd', "{ burns: ['path'] }")}, ${spec('remove', "{ deletes: ['path'] }")}]`,
  })
  expect(names()).toEqual(['look', 'remove'])
  writeFileSync(join(host.workspace, 'a.txt'), '')
  expect(await host.check('remove', { path: 'a.txt' })).toMatchObject({ decision: 'ask', effects: ['deletes a.txt'] })
  expect(skipped()).toEqual([expect.stringMatching(/^a.js:2: tool "odd" has touches .*expected a function, or/)])
  expect(await host.call('look', { path: 'a.txt' })).toMatchObject({ ok: true })
  expect(await host.call('look', { path: 'a.txt', more: ['b.txt', '.ssh/id_rsa'] })).toMatchObject({ code: 'BLOCKED' })
})

test('what tool files import from haft is what programs import from it', () => {
  const names = Object.keys(authors)
  expect(names).toContain('defineTool')
  for (const name of names) expect(Reflect.get(authors, name), name).toBe(Reflect.get(haft, name))
})

test('a folder without such files starts no process, and its process is gone when the host is closed', async () => {
  const empty = await folderHost({ 'weather.py': 'TOOL_SPECS = []' })
  expect(empty.names()).toEqual([])
  const { host } = await folderHost({ 'pid.js': plain('pid', 'return process.pid') })
  const pid = Number((await host.call('pid')).text)
  expect(childrenRunning('child/main')).toEqual([pid])
  await host.close()
  await eventually(() => childrenRunning('child/main').length === 0)
})

/** The processes that this one has started and that run this program. */
function childrenRunning(program: string): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  return findProcesses(program).filter((pid) => children.includes(pid))
}

test("a TypeScript tool of one's own asks where its effect is network and it names hosts", async () => {
  const tool = (name: string, more: string) =>
    `export const ${name} = { name: '${name}', description: 'It', parameters: { type: 'object', properties: { url: { type: 'string', description: 'URL' } } }, handler: () => 1, ${more} }`
  const { host } = await folderHost({
    'a.ts': [
      tool('named', `effect: 'network', hosts: ['api.example.com']`),
      tool('given', `effect: 'network', touches: { connects: ['url'] }`),
      tool('open', `effect: 'network'`),
    ].join('\n'),
  })
  expect(await host.check('named')).toMatchObject({
    decision: 'ask',
    effects: [expect.stringContaining('api.example.com')],
  })
  expect(await host.check('given', { url: 'https://other.example/x' })).toMatchObject({ decision: 'ask' })
  expect(await host.check('given')).toMatchObject({ decision: 'allow' })
  expect(await host.check('open')).toMatchObject({ decision: 'allow', rule: 'own tool' })
})
