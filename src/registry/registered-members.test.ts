import { expect, test } from 'vitest'
import { objectSchema } from '../core/tool/schema.ts'
import type { Tool } from '../core/tool/tool.ts'
import { createRegistry } from './registry.ts'

const PLAIN = { name: 't', description: 'A tool.', input: objectSchema({}), effect: 'none' } as const

test.for([
  ['timeout', 30, 'tool "t" has timeout as number; expected a function; defineTool takes a number too'],
  ['touches', [], 'tool "t" has touches as object; expected a function'],
  ['approval', true, 'tool "t" has approval as boolean; expected a function; defineTool takes true and false too'],
  ['prepare', null, 'tool "t" has prepare as object; expected a function'],
  ['aliases', 'other', 'tool "t" has aliases that are not a list'],
  ['name', ['t'], '["t"] is not a valid tool name'],
] as const)(
  'a tool whose %s is of the wrong kind is refused when it is registered, not when it runs',
  ([member, given, expected]) => {
    const wrong = { ...PLAIN, execute: () => 1, [member]: given } as unknown as Tool
    expect(() => createRegistry().register(wrong)).toThrow(expected)
  },
)

class Counter {
  readonly name = 'counter'
  readonly description = 'Counts.'
  readonly input = objectSchema({})
  readonly effect = 'none'
  execute(): number {
    return 1
  }
}

test('a tool that inherits execute from a class is refused, since it would be registered without it', () => {
  expect(() => createRegistry().register(new Counter())).toThrow('members inherited from a class do not count')
})
