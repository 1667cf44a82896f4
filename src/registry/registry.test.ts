import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { integer, objectSchema, string } from '../core/tool/schema.ts'
import type { Origin } from '../core/tool/snapshot.ts'
import { defineTool, type Tool } from '../core/tool/tool.ts'
import { loadToolFolder } from './load-folder.ts'
import { createRegistry } from './registry.ts'

function tool(
  name: string,
  input: Tool['input'] = objectSchema({ text: string('Text') }),
  extras: Partial<Tool> = {},
): Tool {
  return { name, description: `The tool ${name}.`, input, effect: 'none', execute: (given) => given, ...extras }
}

test('S1.10 register, get, list and toOpenAIFunctions', () => {
  const registry = createRegistry()
  registry.register(tool('a'))
  registry.register(tool('b:c', undefined, { effect: 'run' }))
  expect(registry.get('a')?.name).toBe('a')
  expect(registry.list().map(({ name }) => name)).toEqual(['a', 'b:c'])
  expect(registry.toOpenAIFunctions()[1]).toEqual({
    name: 'b_c',
    description: 'The tool b:c.',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'Text' },
        background: { type: 'boolean', description: expect.stringContaining('background') },
      },
      required: ['text'],
      additionalProperties: false,
    },
  })
  expect(JSON.parse(registry.snapshot().definitions('openai'))[0]).toMatchObject({
    type: 'function',
    function: { name: 'a' },
  })
})

test('a snapshot never changes: an old one keeps its tools and its definitions', () => {
  const registry = createRegistry()
  registry.register(tool('a'))
  const before = registry.snapshot()
  const definitions = before.definitions('openai')
  expect(registry.snapshot()).toBe(before)
  expect(before.definitions('openai')).toBe(definitions)
  registry.register(tool('b'))
  expect(before.find('b')).toBeUndefined()
  expect(before.definitions('openai')).toBe(definitions)
  expect(registry.snapshot().find('b')).toBeDefined()
  expect(Object.isFrozen(before.tools)).toBe(true)
})

test('a tool is found by exact id, wire name or alias, and never by an inherited property', () => {
  const registry = createRegistry()
  registry.register(tool('files:read', undefined, { aliases: ['cat'] }))
  const snapshot = registry.snapshot()
  for (const name of ['files:read', 'files_read', 'cat']) expect(snapshot.find(name)?.tool.name).toBe('files:read')
  for (const name of ['Cat', 'cat ', 'toString', '__proto__', 'constructor', ''])
    expect(snapshot.find(name)).toBeUndefined()
})

test('S0.3 a taken name is refused in code unless overridden, and skipped with a reason from a loader', () => {
  const registry = createRegistry()
  const first = tool('a')
  registry.register(first)
  expect(() => registry.register(tool('a'))).toThrow(/"a" is taken.*override: true/)
  registry.setSource('later', { tools: [{ tool: tool('a'), source: 'later.js' }], skipped: [] }, 'user')
  expect(registry.snapshot().skipped).toMatchObject([
    { source: 'later.js', reason: expect.stringContaining('is taken') },
  ])
  const second = tool('a', undefined, { aliases: ['z'] })
  registry.register(second, { override: true })
  expect(registry.list()).toHaveLength(1)
  expect(registry.get('z')?.name).toBe('a')
})

test('a refused override leaves the existing tool', () => {
  const registry = createRegistry()
  registry.register(tool('a'))
  expect(() => registry.register(tool('a', { type: 'string' }), { override: true })).toThrow('Fixed')
  expect(registry.get('a')).toBeDefined()
  expect(registry.list()).toHaveLength(1)
})

test('an override of an alias takes only the alias, and no two tools share a wire name', () => {
  const registry = createRegistry()
  registry.register(tool('read:file', undefined, { aliases: ['cat', 'read.file'] }))
  for (const name of ['cat', 'read.file']) registry.register(tool(name), { override: true })
  expect(registry.list().map(({ name }) => name)).toEqual(['read:file', 'cat', 'read.file'])
  expect(registry.get('cat')?.name).toBe('cat')
  expect(registry.get('read.file')?.name).toBe('read.file')
  expect(registry.get('read_file')?.name).toBe('read:file')
  const wireNames = registry.snapshot().tools.map(({ wireName }) => wireName)
  expect(wireNames.slice(0, 2)).toEqual(['read_file', 'cat'])
  expect(new Set(wireNames).size).toBe(3)
})

test('an override by id or by wire name replaces the tool', () => {
  for (const name of ['a:b', 'a_b']) {
    const registry = createRegistry()
    registry.register(tool('a:b'))
    registry.register(tool(name, undefined, { description: 'The new one.' }), { override: true })
    expect(registry.list().map(({ description }) => description)).toEqual(['The new one.'])
    expect(registry.snapshot().tools[0]?.wireName).toBe('a_b')
  }
})

test('changes to a schema after registration have no effect', async () => {
  const input = { type: 'object', properties: { text: { type: 'string', description: 'Text' } }, required: ['text'] }
  const registry = createRegistry()
  registry.register(tool('t', input))
  input.properties.text.type = 'number'
  input.required.length = 0
  const [entry] = registry.snapshot().tools
  if (!entry) throw new Error('a tool was registered')
  expect(entry.parameters).toEqual({
    type: 'object',
    properties: { text: { type: 'string', description: 'Text' } },
    required: ['text'],
    additionalProperties: false,
  })
  expect((await registry.snapshot().check(entry, {})).issues.map(({ message }) => message)).toEqual([
    'text: missing; expected string (Text)',
  ])
  for (const schema of [entry.parameters, entry.offered]) {
    expect(() => Object.assign(schema.properties as object, { more: {} })).toThrow(TypeError)
    expect(() => Object.assign((schema.properties as typeof input.properties).text, { type: 'x' })).toThrow(TypeError)
    expect(() => (schema.required as string[]).push('x')).toThrow(TypeError)
  }
})

test('tools that share a schema share its parsed form, unless it changed in between', () => {
  const input = { type: 'object', properties: { text: { type: 'string', description: 'Text' } } }
  const registry = createRegistry()
  registry.register(tool('a', input))
  registry.register(tool('b', input))
  input.properties.text.type = 'number'
  registry.register(tool('c', input))
  const [a, b, c] = registry.snapshot().tools.map(({ parameters }) => parameters)
  expect(a).toBe(b)
  expect(a).toMatchObject({ properties: { text: { type: 'string' } } })
  expect(c).toMatchObject({ properties: { text: { type: 'number' } } })
})

test('definitions show the offered schema of each tool, also after tools were added, replaced and read', () => {
  const registry = createRegistry()
  const odd = objectSchema({ '"\u2028ü😀\\': string('Quotes " and more \u{1F600}') })
  const own = objectSchema({ background: string('My own background') })
  const expectAll = () => {
    const { tools, ...snapshot } = registry.snapshot()
    expect(JSON.parse(snapshot.definitions('openai'))).toEqual(
      tools.map(({ tool: { description }, wireName: name, offered: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    )
  }
  registry.register(tool('a', odd, { description: 'An ü, a " and a 😀.' }))
  expectAll()
  registry.register(tool('b', own, { effect: 'run' }))
  registry.register(tool('none', { type: 'object' }))
  expectAll()
  registry.register(tool('a', objectSchema({ text: string('Text') }), { effect: 'network' }), { override: true })
  expectAll()
  expect(registry.snapshot().tools.map(({ tool: { name }, takesBackground }) => [name, takesBackground])).toEqual([
    ['b', false],
    ['none', true],
    ['a', true],
  ])
})

test('a schema that is not JSON is refused at once, with the name of its tool', () => {
  const round: Record<string, unknown> = { type: 'object' }
  round.$defs = { round }
  expect(() => createRegistry().register(tool('t', round))).toThrow(
    /^the input schema of tool "t" cannot be written as JSON: .*circular/,
  )
})

test('two ids with the same wire name get different ones', () => {
  const registry = createRegistry()
  for (const name of ['a:b', 'a.b', 'a/b']) registry.register(tool(name))
  const wireNames = registry.snapshot().tools.map(({ wireName }) => wireName)
  expect(new Set(wireNames).size).toBe(3)
  expect(registry.get('a_b')?.name).toBe('a:b')
  expect(() => registry.register(tool('a_b'))).toThrow('is taken')
})

test.for([
  ['a root that is no object', { type: 'string' }, 'Fixed: {"type":"object","properties":{"value":{"type":"string"'],
  ['a root without type', { properties: {} }, 'Fixed: {"type":"object","properties":{}}'],
  [
    'a property without type',
    { type: 'object', properties: { a: { description: 'x' } } },
    'Fixed: {"a":{"type":"string","description":"x"}}',
  ],
  [
    'a property without description',
    { type: 'object', properties: { a: { type: 'number' } } },
    'Fixed: {"a":{"type":"number","description":"What a does"}}',
  ],
  ['a property that is no schema', { type: 'object', properties: { a: true } }, 'no type and no description'],
] as const)('S4.4 %s is refused, and the message shows the fixed form', ([, input, expected]) => {
  expect(() => createRegistry().register(tool('t', input))).toThrow(expected)
})

test('S4.4 the corrected form is accepted', () => {
  for (const input of [{ type: 'string' }, { type: 'object', properties: { a: { type: 'number' } } }]) {
    const registry = createRegistry()
    try {
      registry.register(tool('t', input))
      expect.unreachable()
    } catch (error) {
      const fixed = JSON.parse(/Fixed: (.*)$/.exec(String(error))?.[1] ?? '')
      const schema = fixed.type === 'object' ? fixed : { type: 'object', properties: fixed }
      registry.register(tool('t', schema))
      expect(registry.get('t')).toBeDefined()
    }
  }
})

test.for([
  ['a name with a space', { name: 'a b' }],
  ['no description', { description: ' ' }],
  ['an unknown effect', { effect: 'magic' }],
  ['no execute', { execute: undefined }],
] as const)('a tool with %s is refused', ([, wrong]) => {
  expect(() => createRegistry().register({ ...tool('t'), ...wrong } as unknown as Tool)).toThrow()
})

test('S1.9 Zod, any Standard Schema and JSON Schema are accepted and stored as JSON Schema; refinements apply', async () => {
  const even = z.object({
    count: z
      .number()
      .describe('An even number')
      .refine((n) => n % 2 === 0, 'must be even'),
  })
  const registry = createRegistry()
  registry.register(
    defineTool({ name: 'zod', description: 'Zod.', input: even, effect: 'none', execute: ({ count }) => count + 1 }),
  )
  registry.register(
    tool('json', { type: 'object', properties: { count: { type: 'integer', description: 'A count' } } }),
  )
  const snapshot = registry.snapshot()
  const check = async (name: string, input: unknown) => {
    const entry = snapshot.find(name)
    return entry ? (await snapshot.check(entry, input)).issues.map(({ message }) => message) : ['missing']
  }
  expect(registry.toOpenAIFunctions()[0]?.parameters).toMatchObject({
    type: 'object',
    properties: { count: { type: 'number' } },
    required: ['count'],
  })
  expect(await check('zod', { count: 2 })).toEqual([])
  expect(await check('zod', { count: 3 })).toEqual(['count: must be even'])
  expect(await check('zod', { count: 'x' })).toEqual(['count: expected number, got string'])
  expect(await check('json', { count: 1.5 })).toEqual(['count: expected integer, got number'])
  expect(await check('json', { count: 1, other: 2 })).toEqual([expect.stringContaining('other: unknown key')])
})

test('a Standard Schema without JSON Schema conversion is refused, with what to use instead', () => {
  const dumb = { '~standard': { version: 1, vendor: 'dumb', validate: (value: unknown) => ({ value }) } } as const
  expect(() => createRegistry().register(tool('t', dumb))).toThrow(/dumb schema.*objectSchema/)
})

test('unknown keys are accepted only when the schema allows them', async () => {
  const registry = createRegistry()
  registry.register(tool('open', { type: 'object', properties: {}, additionalProperties: true }))
  registry.register(
    tool('composed', { type: 'object', allOf: [{ properties: { a: { type: 'string', description: 'A' } } }] }),
  )
  const snapshot = registry.snapshot()
  const issues = async (name: string, input: unknown) => {
    const entry = snapshot.find(name)
    return entry ? (await snapshot.check(entry, input)).issues.length : -1
  }
  expect(await issues('open', { anything: 1 })).toBe(0)
  expect(await issues('composed', { a: 'x' })).toBe(0)
  expect(await issues('composed', { a: 'x', b: 1 })).toBeGreaterThan(0)
})

test('a schema that cannot be compiled makes calls invalid, with the reason, and affects no other tool', async () => {
  const registry = createRegistry()
  registry.register(
    tool('broken', { type: 'object', properties: { a: { type: 'string', description: 'A', pattern: '(' } } }),
  )
  registry.register(tool('fine'))
  const snapshot = registry.snapshot()
  const [broken, fine] = snapshot.tools
  if (!broken || !fine) throw new Error('two tools were registered')
  expect((await snapshot.check(broken, { a: 'x' })).issues[0]?.message).toContain('its own schema is broken')
  expect(await snapshot.check(fine, { text: 'x' })).toEqual({ issues: [] })
})

test('a tool whose output schema is broken accepts no call, since its result would be refused', async () => {
  const registry = createRegistry()
  registry.register(tool('broken', undefined, { output: { type: 'objec' } }))
  const [entry] = registry.snapshot().tools
  if (!entry) throw new Error('a tool was registered')
  expect((await registry.snapshot().check(entry, { text: 'x' })).issues[0]?.message).toContain(
    'its own schema is broken',
  )
})

test.for([
  ['that cannot say itself as JSON Schema', { '~standard': { version: 1, vendor: 'dumb' } }, 'this dumb schema'],
  ['that is text', 'text', 'is not a schema'],
  ['that is null', null, 'is not a schema'],
  ['that is a list', [], 'is not a schema'],
] as const)('an output schema %s is refused at once, saying whose it is', ([, output, expected]) => {
  const wrong = { ...tool('t'), output } as unknown as Tool
  expect(() => createRegistry().register(wrong)).toThrow(`the output schema of tool "t"`)
  expect(() => createRegistry().register(wrong)).toThrow(expected)
})

test('a missing required key is reported even when objects inherit a property with its name', async () => {
  const registry = createRegistry()
  registry.register(tool('t', objectSchema({ toString: string('Odd'), count: integer('Count') })))
  const [entry] = registry.snapshot().tools
  if (!entry) throw new Error('a tool was registered')
  expect((await registry.snapshot().check(entry, { count: 1 })).issues.map(({ message }) => message)).toEqual([
    'toString: missing; expected string (Odd)',
  ])
})

test('a folder is loaded file by file: a file that is not a tool is skipped with a reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'haft-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'good.js'),
    'export default {name:"good",description:"d",input:{type:"object"},effect:"none",execute(){}}',
  )
  writeFileSync(join(folder, 'broken.js'), 'export default {')
  writeFileSync(join(folder, 'other.js'), 'export const x = 1')
  writeFileSync(
    join(folder, 'schema.js'),
    'export default {name:"s",description:"d",input:{type:"array"},effect:"none",execute(){}}',
  )
  writeFileSync(join(folder, 'notes.md'), 'no tool')
  const registry = createRegistry()
  const origin: Origin = 'user'
  registry.setSource('folder', await loadToolFolder(folder), origin)
  const { tools, skipped } = registry.snapshot()
  expect(tools.map((one) => [one.tool.name, one.origin, one.source])).toEqual([['good', 'user', 'good.js']])
  expect(skipped.map(({ source }) => source).sort()).toEqual(['broken.js', 'other.js', 'schema.js'])
})

test('every schema of Haft itself is valid JSON Schema, which its validators rely on', async () => {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: false })
  const registry = createRegistry()
  registry.setSource('built-in', await loadToolFolder(join(import.meta.dirname, '../tools')), 'built-in')
  const schemas = registry.snapshot().tools.flatMap(({ tool, parameters }) => [parameters, tool.output ?? {}])
  expect(schemas.length).toBeGreaterThan(20)
  for (const schema of schemas) expect(ajv.validateSchema(schema), JSON.stringify(schema)).toBe(true)
})
