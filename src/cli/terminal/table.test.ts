import { expect, test } from 'vitest'
import { type Cell, tableLines } from './table.ts'

const cells = (...texts: string[]): Cell[] => texts.map((text) => ({ style: 'reset', text }))
const rows = [cells('read', 'none', 'Reads a file of the workspace.'), cells('日本', 'run', 'Runs.')]

test('fields stand in columns, wide characters too, and the last one is cut to what is left', () => {
  expect(tableLines(rows, { last: 'cut', columns: 38 })).toEqual([
    'read  none  Reads a file of the works…',
    '日本  run   Runs.',
  ])
})

test('a last field that may be wrapped goes on where it began, its own lines too', () => {
  const long = [cells('read', 'none', 'Reads a file of the workspace.\nOr two.')]
  expect(tableLines(long, { last: 'wrap', columns: 38, indent: 1 })).toEqual([
    ' read  none  Reads a file of the',
    '             workspace.',
    '             Or two.',
  ])
})

test('fields that find no room go below, the same ones in every row', () => {
  expect(tableLines(rows, { last: 'wrap', columns: 30 })).toEqual([
    'read  none',
    '    Reads a file of the',
    '    workspace.',
    '日本  run',
    '    Runs.',
  ])
})

test('numbers stand at the right of their column', () => {
  const numbers = ['9', '10'].map((text): Cell[] => [{ style: 'dim', text, isRight: true }, ...cells('x')])
  expect(tableLines(numbers, { last: 'cut', columns: 80 })).toEqual([' 9  x', '10  x'])
})

test('without a terminal nothing is wrapped, and what may be cut is bounded', () => {
  const [whole, cut] = (['wrap', 'cut'] as const).flatMap((last) =>
    tableLines([cells('a', 'word '.repeat(100).trim())], { last, columns: Number.POSITIVE_INFINITY }),
  )
  expect([whole?.length, cut?.length]).toEqual([502, 163])
})

test('what acts unseen is shown, and a field stays on its line', () => {
  expect(tableLines([cells('a\nb', '\u001b[31mred\tx')], { last: 'cut', columns: 80 })).toEqual([
    'a\\nb  \\u{1b}[31mred\\tx',
  ])
})
