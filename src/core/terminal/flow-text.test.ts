import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FlowText, flowLines } from './flow-text.ts'
import { widthOf } from './text-width.ts'

function flowIn(pieces: readonly string[], columns: number): string {
  const flow = new FlowText(columns)
  return `${pieces.map((piece) => flow.push(piece)).join('')}${flow.end()}`
}

test('text is wrapped between words, and every row is indented', () => {
  expect(flowIn(['I will look at ', 'the fail', 'ing tests.\n\n  const x = 1\n'], 24)).toBe(
    '  I will look at the\n  failing tests.\n\n    const x = 1\n',
  )
})

test('a word longer than a row is broken, so that none of its rows starts at the edge', () => {
  expect(flowLines('abcdefghijklmnopqrstuvwxyz', 15)).toEqual(['  abcdefghijkl', '  mnopqrstuvwx', '  yz'])
})

test('control characters are shown, and none reaches the terminal', () => {
  expect(flowIn(['a\u001b[2J', 'b\u202ec'], 80)).toBe('  a\\u{1b}[2Jb\\u{202e}c\n')
})

test('however a text is cut into pieces, it looks the same, fits the width and cannot start a row at the edge', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 8 })
  fc.assert(
    fc.property(texts, fc.integer({ min: 13, max: 60 }), (pieces, columns) => {
      const shown = flowIn(pieces, columns)
      expect(shown).toBe(flowIn([pieces.join('')], columns))
      for (const row of shown.split('\n')) {
        expect(row === '' || row.startsWith('  ')).toBe(true)
        expect(widthOf(row)).toBeLessThan(columns)
      }
    }),
  )
})
