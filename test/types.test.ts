import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { RawCall, ValidCall } from '../src/core/call/call.ts'
import {
  array,
  boolean,
  defineTool,
  integer,
  objectSchema,
  oneOf,
  optional,
  type Result,
  reads,
  record,
  type SchemaInput,
  string,
  type Tool,
  type ToolOutput,
} from '../src/index.ts'
import type { CallRun } from '../src/pipeline/call-run.ts'
import { execute } from '../src/pipeline/execute/execute.ts'
import { exampleHost } from './support/example-host.ts'

// These hold when `tsc --noEmit` is clean, which `npm test` runs first: an error that is expected and not there is an error.

test('executing a call that has not been cleared does not compile', () => {
  const attempt = (raw: RawCall, valid: ValidCall, run: CallRun) => {
    // @ts-expect-error a raw call is not cleared
    execute(raw, run)
    // @ts-expect-error a valid call is not cleared
    execute(valid, run)
    // @ts-expect-error nor is one that only says so
    execute({ ...valid, clearedBy: 'me', expects: {} }, run)
  }
  expectTypeOf(attempt).toBeFunction()
})

test('a tool knows the type of its input from its schema', () => {
  const tool = defineTool({
    name: 't',
    description: 'd',
    input: objectSchema({
      path: string('p'),
      kind: oneOf(['a', 'b'], 'k'),
      count: optional(integer('c')),
      tags: array(string('t'), 'tags'),
      env: optional(record(string('v'), 'env')),
      nested: objectSchema({ flag: boolean('f') }, 'n'),
    }),
    effect: 'none',
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<{
        readonly path: string
        readonly kind: 'a' | 'b'
        readonly count?: number
        readonly tags: readonly string[]
        readonly env?: Readonly<Record<string, string>>
        readonly nested: { readonly flag: boolean }
      }>()
      return input.path
    },
  })
  expectTypeOf(tool).toExtend<Tool>()
  expect(Object.isFrozen(tool)).toBe(true)
})

test('S1.9 a Zod schema gives the type too, and an output schema binds what is returned', () => {
  const base = { name: 't', description: 'd', input: z.object({ n: z.number() }), effect: 'none' } as const
  defineTool({ ...base, execute: ({ n }) => expectTypeOf(n).toEqualTypeOf<number>() })
  // @ts-expect-error the output schema wants a number
  defineTool({ ...base, output: objectSchema({ size: integer('s') }), execute: () => ({ size: 'large' }) })
})

test('a tool gets what its Zod schema parses to, and a caller sends what the schema takes', () => {
  interface Parsed {
    when: Date
    lines: string[]
    mode: string
  }
  const input = z.object({
    when: z.iso.datetime().transform((text) => new Date(text)),
    lines: z.string().transform((text) => text.split('\n')),
    mode: z.string().default('plain'),
  })
  const tool = defineTool({
    name: 't',
    description: 'd',
    input,
    effect: 'none',
    timeout: (given) => given.lines.length,
    touches: ({ mode }) => [reads(mode)],
    approval: ({ when }) => when.getTime() > 0,
    prepare: ({ lines }) => ({ preview: { kind: 'text', text: lines.join() } }),
    execute: (given) => expectTypeOf(given).toEqualTypeOf<Parsed>(),
  })
  expectTypeOf(tool).toExtend<Tool>()
  expectTypeOf<SchemaInput<typeof tool.input>>().toEqualTypeOf<{
    when: string
    lines: string
    mode?: string | undefined
  }>()
})

test('what a tool returns is what its output schema takes', () => {
  const output = z.object({ size: z.string().transform(Number) })
  const base = { name: 't', description: 'd', input: objectSchema({}), output, effect: 'none' } as const
  defineTool({ ...base, execute: () => ({ size: '1' }) })
  // @ts-expect-error the schema takes text
  defineTool({ ...base, execute: () => ({ size: 1 }) })
})

test('a call of a tool that is passed as a value has typed arguments and data', async () => {
  const measure = defineTool({
    name: 'measure',
    description: 'Measures a text.',
    input: z.object({
      text: z.string().describe('Which text'),
      unit: z.enum(['characters', 'words']).default('characters').describe('What to count'),
    }),
    output: objectSchema({ size: integer('How many') }),
    effect: 'none',
    execute: ({ text, unit }) => ({ size: unit === 'words' ? text.split(' ').length : text.length }),
  })
  type Measured = Result<{ readonly size: number }>
  const host = await exampleHost({ tools: [measure] })
  const session = await host.session()
  const results = [
    await host.call(measure, { text: 'two words', unit: 'words' }),
    await session.call(measure, { text: 'of' }),
  ] as const
  expectTypeOf(results).toEqualTypeOf<readonly [Measured, Measured]>()
  expect(results.map((result) => result.ok && result.data.size)).toEqual([2, 2])
  // @ts-expect-error the schema has no such argument, and expects a text
  expect(await host.call(measure, { txt: 7 })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  // @ts-expect-error the same in a session
  expect(await session.call(measure, { txt: 7 })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  const forged = { ...measure }
  expect(await host.call(forged, { text: 'a' })).toMatchObject({ ok: false, code: 'UNKNOWN_TOOL' })
  const named = await host.call('measure', '{"text":"two"}')
  expectTypeOf(named).toEqualTypeOf<Result>()
  expect(named).toMatchObject({ ok: true, data: { size: 3 } })
})

test('data of a tool without an output schema is unknown', () => {
  const tool = defineTool({ name: 't', description: 'd', input: objectSchema({}), effect: 'none', execute: () => 1 })
  expectTypeOf<ToolOutput<typeof tool>>().toBeUnknown()
})
