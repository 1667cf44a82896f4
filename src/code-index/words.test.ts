import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitWords } from './words.ts'

test.for([
  ['parseHTTPHeaders', 'parsing an http header'],
  ['snake_case_names', 'snakeCaseName'],
  ['removeEmptyFolders', 'removing empty folder'],
  ['creation', 'creates'],
] as const)('%s and "%s" share their words', ([name, sentence]) => {
  const words = new Set(splitWords(name))
  const shared = splitWords(sentence).filter((word) => words.has(word))
  expect(shared.length).toBeGreaterThanOrEqual(Math.min(2, splitWords(sentence).length))
})

test('any text is split into short words in lower case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      for (const word of splitWords(text)) {
        expect(word.length).toBeLessThanOrEqual(40)
        expect(word).toBe(word.toLowerCase())
      }
    }),
  )
})
