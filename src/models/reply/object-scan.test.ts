import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createObjectScan } from './object-scan.ts'

/** Whether a text is closed, pushed in pieces of this length. */
function isClosed(text: string, length: number): boolean {
  const scan = createObjectScan()
  for (let at = 0; at < text.length; at += length) scan.push(text.slice(at, at + length))
  return scan.isClosed()
}

const objects = fc.dictionary(fc.string(), fc.jsonValue())
const lengths = fc.integer({ min: 1, max: 9 })

test('every JSON object is closed at its end, and at no place before', () => {
  fc.assert(
    fc.property(objects, lengths, fc.constantFrom(0, 2), (value, length, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(isClosed(` ${text}\n`, length)).toBe(true)
      for (let end = 0; end < text.length; end++) expect(isClosed(text.slice(0, end), length)).toBe(false)
    }),
  )
})

test.each(['', ' ', '[]', '"{}"', '{}{}', '{} x', 'x{}', '{"a":"}', '{"a":"\\"}', '}'])(
  '%j is not a closed object',
  (text) => {
    expect(isClosed(text, 1)).toBe(false)
  },
)
