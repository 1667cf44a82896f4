import { expect, test } from 'vitest'
import { exampleHost } from '../support/example-host.ts'

// Latin letters replaced by others that look the same, invisible characters, and other writings of a path.
test.for([
  ['a Cyrillic letter', 'сat notes.txt'],
  ['a zero-width space', 'ca\u200bt notes.txt'],
  ['a full-width letter', 'ｃat notes.txt'],
  ['a right-to-left mark', '\u202ecat notes.txt'],
  ['a program of another folder with an everyday name', '/tmp/x/ls'],
  ['an everyday name made a function', 'ls() { frobnicate; }; ls'],
  ['an everyday name made an alias', 'shopt -s expand_aliases; alias ls=frobnicate\nls'],
  ['an everyday name found elsewhere', 'PATH=/tmp/x:$PATH ls'],
] as const)('%s is not taken for the everyday command', async ([, command]) => {
  const host = await exampleHost()
  expect((await host.check('shell', { command })).decision).not.toBe('allow')
})

test('a tool whose name only looks like another is another tool', async () => {
  const host = await exampleHost({ rules: [{ name: 'adding', decision: 'allow', tools: ['add_numbers'] }] })
  expect(await host.check('аdd_numbers', { a: 1, b: 2 })).toMatchObject({ decision: 'invalid', code: 'UNKNOWN_TOOL' })
})
