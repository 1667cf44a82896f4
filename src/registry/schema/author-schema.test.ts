import { expect, test } from 'vitest'
import { z } from 'zod'
import { objectSchema } from '../../core/tool/schema.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { createRegistry } from '../registry.ts'

function tool(name: string, input: Tool['input'] = objectSchema({}), extras: Partial<Tool> = {}): Tool {
  return { name, description: `The tool ${name}.`, input, effect: 'none', execute: (given) => given, ...extras }
}

const when = z.date().describe('When')

test.for<readonly [string, Tool['input'], string, string]>([
  ['a Date', z.object({ when }), 'the field "when"', 'z.iso.datetime().transform((text) => new Date(text))'],
  ['a Date in a list', z.object({ days: z.array(when) }), 'the field "days[]"', 'new Date(text)'],
  ['a Date deep inside', z.object({ a: z.object({ b: when.optional() }) }), 'the field "a.b"', 'new Date(text)'],
  ['a Date among others', z.object({ a: z.union([z.string(), when]) }), 'the field "a"', 'new Date(text)'],
  ['a Date with a default', z.object({ a: when.default(new Date(0)) }), 'the field "a"', 'new Date(text)'],
  ['a bigint', z.object({ n: z.bigint() }), 'the field "n"', 'transform(BigInt)'],
  ['a Map', z.object({ m: z.map(z.string(), z.string()) }), 'the field "m"', 'new Map(Object.entries(given))'],
  ['a Set', z.object({ s: z.set(z.string()) }), 'the field "s"', 'new Set(items)'],
  ['an instance', z.object({ u: z.instanceof(URL) }), 'the field "u"', 'z.string().transform((text) => …)'],
  ['a Date alone', z.date(), 'Date cannot be represented', 'z.iso.datetime()'],
])(
  '%s in a Zod schema is refused with the tool, the field and what to write in Zod instead',
  ([, input, field, instead]) => {
    const register = () => createRegistry().register(tool('meet', input))
    expect(register).toThrow('the input schema of tool "meet"')
    expect(register).toThrow(field)
    expect(register).toThrow('cannot be represented in JSON Schema')
    expect(register).toThrow(instead)
  },
)

test('a Date in the output schema is refused with the tool, the field and what to use instead', () => {
  const register = () => createRegistry().register(tool('meet', undefined, { output: z.object({ when }) }))
  expect(register).toThrow('the output schema of tool "meet": the field "when"')
  expect(register).toThrow('z.iso.datetime()')
})

test('a recursive Zod schema is converted, and one that contains a Date is refused', () => {
  const tree = z.object({
    get child() {
      return tree.optional().describe('A tree')
    },
  })
  createRegistry().register(tool('fine', tree))
  const dated = z.object({
    when,
    get child() {
      return dated.optional().describe('A tree')
    },
  })
  expect(() => createRegistry().register(tool('t', dated))).toThrow('the field "when"')
})

test.for<readonly [string, Tool['input'], string]>([
  ['a number', z.object({ a: z.number() }), "Fixed: a: z.number().describe('What a does')"],
  ['an integer', z.object({ a: z.int() }), "Fixed: a: z.int().describe('What a does')"],
  [
    'an optional choice',
    z.object({ a: z.enum(['x', 'y']).optional() }),
    `Fixed: a: z.enum(["x","y"]).optional().describe('What a does')`,
  ],
  [
    'a default',
    z.object({ a: z.boolean().default(true) }),
    "Fixed: a: z.boolean().default(true).describe('What a does')",
  ],
  ['a list', z.object({ a: z.array(z.string()) }), "Fixed: a: z.array(z.string()).describe('What a does')"],
  ['an object', z.object({ a: z.object({}) }), "Fixed: a: z.object({ … }).describe('What a does')"],
  ['anything', z.object({ a: z.any() }), "Fixed: a: z.string().describe('What a does')"],
  ['anything with a description', z.object({ a: z.any().describe("It's") }), `Fixed: a: z.string().describe("It's")`],
  ['a name that needs quotes', z.object({ 'a-b': z.string() }), `Fixed: "a-b": z.string().describe('What a-b does')`],
  ['a root that is one of several', z.union([z.object({}), z.string()]), 'Fixed: z.object({ … })'],
  ['a root that is no object', z.string(), "Fixed: z.object({ value: z.string().describe('What value is') })"],
])('S4.4 %s in a Zod schema that lacks something is refused with what to write in Zod', ([, input, expected]) => {
  expect(() => createRegistry().register(tool('t', input))).toThrow(expected)
})

test.for([
  ['valibot', "Fixed: a: v.pipe(…, v.description('What a does'))"],
  ['arktype', "Fixed: a: (…).describe('What a does')"],
  ['another', 'Fixed: {"a":{"type":"number","description":"What a does"}}'],
] as const)(
  'S4.4 a schema of %s without a description is refused in the words of its library',
  ([vendor, expected]) => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    const jsonSchema = { input: () => schema, output: () => schema }
    const input = {
      '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }), jsonSchema },
    } as const
    expect(() => createRegistry().register(tool('t', input))).toThrow(expected)
  },
)
