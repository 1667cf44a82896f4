import fc from 'fast-check'
import { expect, test } from 'vitest'
import { widthOf } from '../../core/terminal/text-width.ts'
import { bufferOf, erase, move, moveLine, type Target } from './text-buffer.ts'
import { textRows, windowOf } from './text-rows.ts'

const targets: readonly Target[] = ['before', 'after', 'wordBefore', 'wordAfter', 'lineStart', 'lineEnd']
const texts = fc.string({ unit: fc.constantFrom('a', 'ß', ' ', '\n', '日', '👨‍👩‍👧', 'e\u0301', '\t'), maxLength: 30 })
/** The cursor is never inside what a person sees as one character. */
const buffers = fc.tuple(texts, texts).map(([before, after]) => ({ text: before + after, cursor: before.length }))

test('one backspace deletes what a person sees as one character', () => {
  expect(erase(bufferOf('a👨‍👩‍👧'), 'before')).toEqual({ text: 'a', cursor: 1 })
  expect(erase(bufferOf('a\n'), 'before')).toEqual({ text: 'a', cursor: 1 })
})

test('whatever is pressed, the cursor stays in the text, and only what is between cursor and target is deleted', () => {
  fc.assert(
    fc.property(buffers, fc.constantFrom(...targets), (buffer, target) => {
      const moved = move(buffer, target)
      expect(moved.cursor).toBeGreaterThanOrEqual(0)
      expect(moved.cursor).toBeLessThanOrEqual(buffer.text.length)
      const erased = erase(buffer, target)
      const [from, to] = [Math.min(buffer.cursor, moved.cursor), Math.max(buffer.cursor, moved.cursor)]
      expect(erased).toEqual({ text: buffer.text.slice(0, from) + buffer.text.slice(to), cursor: from })
    }),
  )
})

test('up and down go to the line above and below, as far right as it reaches', () => {
  expect(moveLine({ text: 'abc\nd\nefg', cursor: 9 }, -1)?.cursor).toBe(5)
  expect(moveLine({ text: 'abc\nd\nefg', cursor: 1 }, 1)?.cursor).toBe(5)
  expect(moveLine({ text: 'abc\nd', cursor: 1 }, -1)).toBeUndefined()
  expect(moveLine({ text: 'abc\nd', cursor: 5 }, 1)).toBeUndefined()
})

test('rows fit the width, and the cursor is among them, also where only some are shown', () => {
  fc.assert(
    fc.property(buffers, fc.integer({ min: 10, max: 40 }), (buffer, columns) => {
      const { rows, x, y } = textRows(buffer, columns)
      for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(columns)
      expect(x).toBeLessThanOrEqual(columns)
      expect(rows[y]).toBeDefined()
      const seen = windowOf({ rows, x, y }, 3)
      expect(seen.rows[seen.y]).toBe(rows[y])
    }),
  )
  expect(textRows({ text: 'ab\ncd', cursor: 4 }, 10)).toEqual({ rows: ['ab', 'cd'], x: 1, y: 1 })
})
