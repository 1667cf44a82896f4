import { expect, test } from 'vitest'
import { z } from 'zod'
import { array, integer, objectSchema, record, string } from '../../core/tool/schema.ts'
import type { Issue } from '../../core/tool/snapshot.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { createRegistry } from '../registry.ts'

function tool(name: string, input: Tool['input']): Tool {
  return { name, description: `The tool ${name}.`, input, effect: 'none', execute: (given) => given }
}

/** Validates a value against the input of one tool, as a call does. */
async function check(input: Tool['input'], value: unknown): Promise<readonly Issue[]> {
  const registry = createRegistry()
  registry.register(tool('t', input))
  const snapshot = registry.snapshot()
  const [entry] = snapshot.tools
  if (!entry) throw new Error('a tool was registered')
  return (await snapshot.check(entry, value)).issues
}

const COUNT = { type: 'object', properties: { count: { type: 'integer', description: 'How many' } } } as const

test.for([
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
  'https://example.com/a-schema-of-schemas-nobody-has',
])('a schema that names the draft %s is read', async ($schema) => {
  expect(await check({ $schema, ...COUNT }, { count: 1 })).toEqual([])
  expect(await check({ $schema, ...COUNT }, { count: 'one' })).toHaveLength(1)
})

test.for([
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/meta/validation',
])('a tool that calls its schema %s harms no other tool', async ($id) => {
  const $schema = $id.includes('draft-07') ? 'http://json-schema.org/draft-07/schema#' : undefined
  await check({ ...($schema && { $schema }), ...COUNT, $id }, { count: 1 })
  expect(await check({ ...($schema && { $schema }), ...COUNT }, { count: 1 })).toEqual([])
})

test('a broken schema does not reserve its name: another tool may use it', async () => {
  const $id = 'https://example.com/count'
  const broken = { type: 'object', properties: { a: { type: 'string', description: 'A', pattern: '(' } } }
  expect((await check({ $id, ...broken }, { a: 'x' }))[0]?.message).toContain('its own schema is broken')
  expect(await check({ $id, ...COUNT }, { count: 1 })).toEqual([])
})

test('two tools may use the same names inside their schemas without collision', async () => {
  const item = (type: string) => ({
    type: 'object',
    properties: { item: { $ref: 'https://example.com/item', description: 'An item' } },
    $defs: { item: { $id: 'https://example.com/item', type } },
  })
  expect(await check(item('integer'), { item: 1 })).toEqual([])
  expect(await check(item('string'), { item: 'text' })).toEqual([])
  expect(await check(item('string'), { item: 1 })).toHaveLength(1)
})

test('a schema may contain itself, and unknown keys inside are still reported', async () => {
  const tree = { type: 'object', properties: { child: { $ref: '#', description: 'A tree' } } }
  expect(await check(tree, { child: { child: {} } })).toEqual([])
  const [issue] = await check(tree, { child: { chld: {} } })
  expect(issue?.message).toBe('child.chld: unknown key; did you mean child? Known keys: child')
})

test.for([
  ['^(a+)+$', 'a'.repeat(40), `${'a'.repeat(60)}!`],
  ['^([a-z]|[a-y])*$', 'a'.repeat(40), `${'a'.repeat(60)}!`],
  ['^(?=(a+)+$)', 'aaa', `${'a'.repeat(60)}!`],
  ['a*a*a*a*a*a*b', 'aab', 'a'.repeat(3_000)],
] as const)(
  'the pattern %s, which backtracks for ever, is given up, and the value refused',
  async ([pattern, good, bad]) => {
    const input = objectSchema({ word: string('A word', { pattern }) })
    expect(await check(input, { word: good })).toEqual([])
    const [issue] = await check(input, { word: bad })
    expect(issue?.message).toContain('took longer than')
  },
)

test.for([
  ['^[a-z]+$', 'word', 'Word'],
  ['^\\d{4}-\\d{2}$', '2026-11', '2026-1'],
  ['^\\[x\\]', '[x]', 'x'],
  ['a|b', 'b', 'c'],
] as const)('the pattern %s holds', async ([pattern, good, bad]) => {
  const input = objectSchema({ word: string('A word', { pattern }) })
  expect(await check(input, { word: good })).toEqual([])
  expect(await check(input, { word: bad })).toHaveLength(1)
})

test.for([
  ['later', () => Promise.reject(new Error('no such table'))],
  [
    'at once',
    () => {
      throw new Error('no such table')
    },
  ],
] as const)('a schema with code of its own that fails %s refuses the value and says so', async ([, validate]) => {
  const jsonSchema = { input: () => COUNT, output: () => COUNT }
  const input = { '~standard': { version: 1, vendor: 'own', validate, jsonSchema } } as const
  const [issue] = await check(input, { count: 1 })
  expect(issue?.message).toBe("the tool's own schema failed: no such table")
})

test.for([
  ['nothing', undefined, 'its validate function returned no result'],
  ['neither a value nor issues', {}, 'its validate function returned neither a value nor issues'],
  ['issues that are no list', { issues: 'many' }, 'its validate function returned issues that are not a list'],
  ['an empty list of issues', { issues: [] }, 'refused without a reason'],
  ['issues beside a value', { value: {}, issues: [{ message: 'too many' }] }, 'the arguments: too many'],
  ['an issue in a place', { issues: [{ message: 'no', path: ['a', { key: 0 }] }] }, 'a.0: no'],
] as const)('a schema of a library that gives %s refuses the value', async ([, outcome, expected]) => {
  const jsonSchema = { input: () => COUNT, output: () => COUNT }
  const validate = () => outcome as { value: unknown }
  const input = { '~standard': { version: 1, vendor: 'own', validate, jsonSchema } } as const
  const [issue] = await check(input, { count: 1 })
  expect(issue?.message).toContain(expected)
})

test('a Zod schema runs its asynchronous code once, and a promise of it that rejects refuses the value', async () => {
  let times = 0
  const input = z.object({
    count: z
      .number()
      .describe('How many')
      .transform(async () => {
        times++
        throw new Error('no such table')
      }),
  })
  const [issue] = await check(input, { count: 1 })
  expect(issue?.message).toBe("the tool's own schema failed: no such table")
  expect(times).toBe(1)
})

test('a key of digits stays a key, only an index of a list is a number', async () => {
  const input = objectSchema({ ports: record(integer('A port'), 'Ports'), list: array(integer('One'), 'A list') })
  const issues = await check(input, { ports: { '007': 'x', '12345678901234567890': 'x' }, list: ['x'] })
  expect(issues.map(({ message }) => message)).toEqual([
    'ports.007: expected integer, got string',
    'ports.12345678901234567890: expected integer, got string',
    'list.0: expected integer, got string',
  ])
})
