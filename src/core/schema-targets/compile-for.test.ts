import { expect, test } from 'vitest'
import type { JsonSchema } from '../text/json.ts'
import { compileFor } from './compile-for.ts'
import { restoreArguments } from './restore-arguments.ts'
import type { TargetName } from './target.ts'

const TEXT = { type: 'string' }
const object = (properties: JsonSchema, more: JsonSchema = {}) => ({ type: 'object', properties, ...more })
const closed = { additionalProperties: false }
const CONDITION = {
  if: { properties: { kind: { const: 'box' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not a promise.
  then: { properties: { size: { type: 'integer' }, only: TEXT }, required: ['size'] },
  else: { properties: { size: TEXT } },
}

/** A parameter `a` as a target takes it, and the losses as `effect path keyword`. */
function compileParameter(a: unknown, name: TargetName, $defs: JsonSchema = {}) {
  const { schema, losses, refused } = compileFor(object({ a }, { required: ['a'], ...closed, $defs }), name)
  const written = (schema.properties as Record<string, unknown>).a
  const shown = losses.map(({ effect, path, keyword }) => `${effect} ${path} ${keyword}`)
  return { written, losses: shown.filter((loss) => loss !== 'looser  additionalProperties'), refused }
}

test.for<[string, TargetName, unknown, unknown, readonly string[]]>([
  [
    'a format it knows is kept',
    'gemini',
    { ...TEXT, format: 'date-time' },
    { type: 'STRING', format: 'date-time' },
    [],
  ],
  [
    'a format it does not know becomes a hint',
    'gemini',
    { ...TEXT, format: 'uri', description: 'Where' },
    { type: 'STRING', description: 'Where (format uri)' },
    ['note a format'],
  ],
  [
    'values of a list are those of its items',
    'gemini',
    { type: 'array', items: TEXT, enum: ['a', 'b'] },
    { type: 'ARRAY', items: { type: 'STRING', enum: ['a', 'b'] } },
    ['looser a enum'],
  ],
  [
    'lists as values are left out',
    'gemini-json-schema',
    { type: 'array', items: TEXT, enum: [['a']] },
    { type: 'array', items: TEXT },
    ['looser a enum'],
  ],
  [
    'no limit is left for a grammar',
    'llama.cpp',
    { type: 'array', items: { ...TEXT, minLength: 1, maxLength: 2_000, pattern: 'x' }, maxItems: 5_000 },
    {
      type: 'array',
      description: 'at most 5000 items',
      items: { ...TEXT, description: 'matches "x"' },
    },
    ['looser a maxItems', 'looser a[] minLength', 'looser a[] maxLength', 'looser a[] pattern'],
  ],
  [
    'alternatives get the type of the first beside them',
    'llama.cpp',
    { anyOf: [TEXT, object({ b: TEXT })] },
    { type: 'string', anyOf: [TEXT, object({ b: TEXT })] },
    ['tighter a type'],
  ],
  [
    'a value of any type is written as alternatives',
    'llama.cpp',
    { description: 'Anything' },
    {
      type: 'string',
      description: 'Anything',
      anyOf: ['string', 'number', 'boolean', 'object', 'array'].map((type) => ({ type })),
    },
    ['tighter a type'],
  ],
  [
    'null is not offered where a list of types would be needed',
    'llama.cpp',
    { type: ['string', 'null'] },
    TEXT,
    ['tighter a type'],
  ],
  ['null becomes nullable', 'gemini', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }, []],
  [
    'several types become alternatives',
    'gemini',
    { type: ['string', 'integer', 'null'] },
    {
      anyOf: [
        { type: 'STRING', nullable: true },
        { type: 'INTEGER', nullable: true },
      ],
    },
    [],
  ],
  ['const becomes an enum', 'gemini', { const: 'x' }, { type: 'STRING', enum: ['x'] }, []],
  [
    'an enum that excludes the const beside it is reported',
    'ollama',
    { allOf: [{ enum: [true] }, { const: 'x' }] },
    { type: 'string', enum: ['x'] },
    ['looser a enum'],
  ],
  [
    'an enum of numbers becomes a hint',
    'gemini',
    { type: 'integer', enum: [1, 2] },
    { type: 'INTEGER', description: 'one of 1, 2' },
    ['looser a enum'],
  ],
  ['counts are written as text', 'gemini', { ...TEXT, maxLength: 5 }, { type: 'STRING', maxLength: '5' }, []],
  [
    'a description beside anyOf goes into the alternatives',
    'gemini',
    { description: 'Which', anyOf: [TEXT, { type: 'integer' }] },
    {
      anyOf: [
        { type: 'STRING', description: 'Which' },
        { type: 'INTEGER', description: 'Which' },
      ],
    },
    [],
  ],
  [
    'allOf is merged',
    'ollama',
    { allOf: [{ ...TEXT }, { description: 'Both' }] },
    { type: 'string', description: 'Both' },
    [],
  ],
  [
    'a key that one part of allOf refuses is left out',
    'openai-strict',
    object({ b: TEXT }, { required: ['c'], allOf: [object({ c: TEXT }, closed)] }),
    object({ c: TEXT }, { required: ['c'], ...closed }),
    ['looser a.b false'],
  ],
  ['not is left out', 'openai-strict', { ...TEXT, not: { const: 'x' } }, TEXT, ['looser a not']],
  [
    'a condition is left out, and what only it names becomes an optional parameter',
    'ollama',
    object({ kind: TEXT }, CONDITION),
    object({ kind: TEXT, size: { anyOf: [{ type: 'integer' }, TEXT] }, only: TEXT }),
    ['tighter a properties', 'looser a if', 'looser a then', 'looser a else'],
  ],
  [
    'a condition on an object that refuses unknown keys adds no parameter',
    'ollama',
    object({ kind: TEXT }, { ...CONDITION, ...closed }),
    object({ kind: TEXT }),
    ['looser a if', 'looser a then', 'looser a else', 'looser a additionalProperties'],
  ],
  [
    'a condition is kept below the root',
    'openai',
    object({ kind: TEXT }, CONDITION),
    object({ kind: TEXT }, CONDITION),
    [],
  ],
  [
    'unevaluatedProperties beside alternatives does not refuse what these name',
    'openai-strict',
    object({}, { unevaluatedProperties: false, anyOf: [object({ x: TEXT }, { required: ['x'], ...closed })] }),
    object({ x: TEXT }, { required: ['x'], ...closed }),
    ['looser a unevaluatedProperties'],
  ],
  [
    'alternatives that are values become one list',
    'openai-strict',
    { oneOf: [{ const: 'a' }, { const: 'b' }] },
    { type: 'string', enum: ['a', 'b'] },
    ['looser a oneOf'],
  ],
])('%s (%s)', ([, name, given, expected, losses]) => {
  expect(compileParameter(given, name)).toEqual({ written: expected, losses, refused: [] })
})

test.for([
  ['takes any key', { type: 'object', additionalProperties: TEXT }],
  ['takes a value of any type', {}],
  ['takes keys by pattern', object({}, { patternProperties: { '^x': TEXT }, ...closed })],
  ['takes items of any type', { type: 'array' }],
] as const)('strict mode refuses a parameter that %s', ([reason, given]) => {
  expect(compileParameter(given, 'openai-strict').refused).toContain(`a ${reason}`)
})

test('strict mode refuses what lies too deep, has too many properties or lists too many values', () => {
  let deep: JsonSchema = TEXT
  for (let level = 0; level < 11; level++) deep = object({ in: deep }, { required: ['in'], ...closed })
  const wide = object(Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`p${i}`, TEXT])), closed)
  const long = { enum: Array.from({ length: 1001 }, (_, i) => `v${i}`) }
  const reasonsOf = (given: unknown) => compileParameter(given, 'openai-strict').refused.join()
  expect(reasonsOf(deep)).toContain('lies deeper than 10 levels')
  expect(reasonsOf(wide)).toContain('has more than 5000 properties')
  expect(reasonsOf(long)).toContain('lists more than 1000 values')
})

test('a reference is written out, one that comes again accepts any value, and one that leads nowhere is reported', () => {
  const $defs = { node: object({ next: { $ref: '#/$defs/node' }, name: TEXT }) }
  const { written, losses } = compileParameter({ $ref: '#/$defs/node' }, 'ollama', $defs)
  expect(written).toEqual(object({ next: {}, name: TEXT }))
  expect(losses).toEqual(['looser a.next $ref'])
  expect(compileParameter({ $ref: '#/$defs/none' }, 'ollama', $defs)).toMatchObject({ losses: ['looser a $ref'] })
  expect(compileParameter({ $ref: 'https://example.com/x' }, 'ollama')).toMatchObject({ losses: ['looser a $ref'] })
})

test('keys that a nested alternative allows stay allowed below an outer unevaluatedProperties', () => {
  const open = { type: 'object', additionalProperties: { enum: ['a'] } }
  const given = { type: 'object', unevaluatedProperties: false, oneOf: [{ anyOf: [open, { type: 'integer' }] }] }
  expect(compileFor(given, 'openai').schema).toMatchObject({ type: 'object', additionalProperties: true })
})

test('strict mode refuses names and values that are too long in all', () => {
  const values = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => `${at}`.padEnd(length, 'x'))
  const tool = (list: readonly string[]) => ({ type: 'object', properties: { a: { enum: list } }, required: ['a'] })
  expect(compileFor(tool(values(251, 59)), 'openai-strict').refused).toEqual([])
  expect(compileFor(tool(values(251, 60)), 'openai-strict').refused).toEqual([
    'a lists more than 250 values of more than 15000 characters',
  ])
  expect(compileFor(tool(values(100, 1_200)), 'openai-strict').refused).toEqual([
    'the root has more than 120000 characters in its names and values',
  ])
})

test('JSON Schema for Gemini keeps what its reference lists, and the report names the rest', () => {
  const given = {
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      headers: { type: 'object', additionalProperties: { type: 'string', minLength: 2 } },
      level: { enum: [1, 2] },
      flag: { enum: [true] },
      code: { type: 'string', pattern: '^[a-z]+$', format: 'any' },
    },
    additionalProperties: false,
  }
  const { schema, losses } = compileFor(given, 'gemini-json-schema')
  expect(schema).toEqual({
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      headers: { type: 'object', additionalProperties: { type: 'string', description: 'at least 2 characters' } },
      level: { type: 'number', enum: [1, 2] },
      flag: { type: 'boolean', description: 'one of true' },
      code: { type: 'string', description: 'matches "^[a-z]+$"', format: 'any' },
    },
    additionalProperties: false,
  })
  expect(losses.map(({ path, keyword }) => `${path} ${keyword}`)).toEqual([
    'headers.* minLength',
    'flag enum',
    'code pattern',
  ])
})

test('a parameter may be called __proto__', () => {
  const given = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
  )
  for (const name of ['openai-strict', 'gemini', 'ollama'] as const)
    expect(JSON.stringify(compileFor(given, name).schema)).toContain('"__proto__":{"type":')
  const { addedNulls } = compileFor(given, 'openai-strict')
  expect(JSON.stringify(restoreArguments(JSON.parse('{"__proto__":null,"b":null}'), addedNulls))).toBe('{"b":null}')
})

test('the schema given is not changed, and a frozen one is compiled once', () => {
  const given = object({ a: { oneOf: [{ const: 'x' }, { const: 1 }] } })
  const before = JSON.stringify(given)
  compileFor(given, 'gemini')
  expect(JSON.stringify(given)).toBe(before)
  const frozen = Object.freeze(given)
  expect(compileFor(frozen, 'gemini')).toBe(compileFor(frozen, 'gemini'))
  expect(compileFor(frozen, 'gemini')).not.toBe(compileFor(frozen, 'ollama'))
})
