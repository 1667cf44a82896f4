import type { Key } from 'ink'
import { expect, test } from 'vitest'
import { splitKeys } from './split-keys.ts'

const NONE = {} as Key

test.for([
  ['letters after Ctrl-A', '\u0001the ', ['Ctrl-a', 'the ']],
  ['a line begun with Ctrl-J and sent', 'one\ntwo\r', ['one', 'Ctrl-j', 'two', 'return']],
  ['letters taken back', 'ab\u007f\b', ['ab', 'backspace', 'backspace']],
  ['a completed name', '/mo\t', ['/mo', 'tab']],
] as const)('keys that a terminal sent at once all count: %s', ([, input, expected]) => {
  expect(splitKeys(input, NONE)?.map(({ input, key }) => nameOf(input, key))).toEqual(expected)
})

test.for(['one\rtwo\rthree', 'one\r\ntwo', 'a', '\u0001', 'only letters'])('%j stays as it is', (input) => {
  expect(splitKeys(input, NONE)).toBeUndefined()
})

function nameOf(input: string, key: Key): string {
  const name = (['return', 'tab', 'backspace'] as const).find((one) => key[one])
  return name ?? (key.ctrl ? `Ctrl-${input}` : input)
}
