import { expect, test } from 'vitest'
import { widthOf } from '../terminal/text-width.ts'
import { printable } from './printable.ts'

test.for([
  ['a Persian word', 'می\u200cخواهم'],
  ['a family', '👩\u200d👩\u200d👧'],
  ['a person with a skin tone', '👩🏽\u200d💻'],
  ['a flag', '🏳\ufe0f\u200d🌈'],
  ['a Sinhala word', 'ශ්\u200dරී'],
] as const)('%s is shown as it is written, joiners too', ([, text]) => {
  expect(printable(text)).toBe(text)
})

test.for([
  ['between ASCII letters', 'pass\u200dword', 'pass\\u{200d}word'],
  ['between other letters that need none', 'рау\u200cраl é\u200dé', 'рау\\u{200c}раl é\\u{200d}é'],
  ['at the start and the end', '\u200dمی\u200c', '\\u{200d}می\\u{200c}'],
  ['twice', 'می\u200c\u200cخ', 'می\\u{200c}\\u{200c}خ'],
  ['between a letter and an emoji', 'a\u200d👩', 'a\\u{200d}👩'],
  ['other invisible characters', 'می\u202eخ\u200b👩\u0007', 'می\\u{202e}خ\\u{200b}👩\\u{7}'],
] as const)('a joiner where it could hide something is shown by its number: %s', ([, text, shown]) => {
  expect(printable(text)).toBe(shown)
})

test('joined emoji take the two columns of one', () => {
  expect([widthOf('👩\u200d👩\u200d👧'), widthOf('می\u200cخواهم')]).toEqual([2, 7])
})
