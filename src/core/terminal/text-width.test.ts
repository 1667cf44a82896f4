import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToWidth, widthOf, wrapWords } from './text-width.ts'

test.for([
  ['plain', 5],
  ['日本', 4],
  ['👦x', 3],
  ['e\u0301é', 2],
  ['ｗ', 2],
  ['— › …', 5],
] as const)('%s takes %i columns', ([text, width]) => {
  expect(widthOf(text)).toBe(width)
})

test.for([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['a longer text', 7, 'a long…'],
  ['日本語日本語', 6, '日本…'],
] as const)('%s cut to %i columns', ([text, columns, expected]) => {
  expect(cutToWidth(text, columns)).toBe(expected)
})

test.for([
  ['one two three', 8, ['one two', 'three']],
  ['one two\n  three four', 8, ['one two', '  three', '  four']],
  ['     one two', 8, ['     one', 'two']],
  ['see /a/very/long/path now', 8, ['see /a/very/long/path', 'now']],
  ['日本 語 x', 5, ['日本', '語 x']],
  ['', 8, ['']],
] as const)('%s is wrapped between words', ([text, columns, expected]) => {
  expect(wrapWords(text, columns)).toEqual(expected)
})

test('wrapping loses nothing but spaces, and a row is too wide only where one word is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
      const rows = wrapWords(text, columns)
      expect(rows.join('').replaceAll(/[ \n]/g, '')).toBe(text.replaceAll(/[ \n]/g, ''))
      for (const row of rows)
        if (widthOf(row) > columns) expect(row.split(/ +/).some((word) => widthOf(` ${word}`) > columns)).toBe(true)
    }),
  )
})
