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
  reads,
  record,
  type SchemaInput,
  string,
  type Tool,
} from '../src/index.ts'
import type { CallRun } from '../src/pipeline/call-run.ts'
import { execute } from '../src/pipeline/execute/execute.ts'

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
