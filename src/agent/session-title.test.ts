import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeTitle } from './session-title.ts'

it.each([
  ['Fix the test', 'Fix the test'],
  ['\n\n## Fix the test\nIt fails.', 'Fix the test'],
  ['---\n- first point', 'first point'],
  ['a\tb\u001b[31m c', 'a b [31m c'],
  ['', ''],
  ['***', ''],
])('makes of %j the title %j', (message, title) => {
  expect(makeTitle(message)).toBe(title)
})

it('cuts a long line at a word', () => {
  const title = makeTitle('Please look at every file of the project and tell me which ones are not used')
  expect(title).toBe('Please look at every file of the project and tell me which…')
  const sentence = makeTitle('The cart adds up wrong when I buy several of one thing. Find out why and fix it.')
  expect(sentence).toBe('The cart adds up wrong when I buy several of one thing…')
})

it('is one short line without control characters, whatever the message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
      const title = makeTitle(message)
      expect(title.length).toBeLessThanOrEqual(61)
      expect(title).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(title.isWellFormed()).toBe(true)
    }),
  )
})
