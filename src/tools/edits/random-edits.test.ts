import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits } from './apply-edits.ts'
import type { Edit } from './match-edit.ts'

const letters = fc.constantFrom('a', 'b', ' ', '\n', 'é', '$', '\\')
const texts = fc.string({ unit: letters, maxLength: 40 })

/** A file and edits whose old texts all occur in it. */
const exactEdits = fc
  .string({ unit: letters, minLength: 1, maxLength: 60 })
  .chain((file) =>
    fc.tuple(
      fc.constant(file),
      fc.array(
        fc.record({
          at: fc.nat(file.length - 1),
          length: fc.integer({ min: 1, max: 8 }),
          new: texts,
          replaceAll: fc.boolean(),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    ),
  )
  .map(([file, cuts]) => ({
    file,
    edits: cuts.map(({ at, length, ...rest }): Edit => ({ ...rest, old: file.slice(at, at + length) })),
  }))

test('S3.6 random edits of random files come out as a plain reference does them', () => {
  fc.assert(
    fc.property(exactEdits, ({ file, edits }) => {
      const outcome = applyEdits(file, edits)
      expect(outcome.ok ? outcome.content : outcome.reason).toBe(reference(file, edits))
    }),
    { numRuns: 3_000 },
  )
})

test('a file with CRLF or a byte order mark comes out as the one without, but for them', () => {
  fc.assert(
    fc.property(exactEdits, ({ file, edits }) => {
      fc.pre(file.includes('\n'))
      const plain = applyEdits(file, edits)
      const crlf = applyEdits(file.replaceAll('\n', '\r\n'), edits)
      expect(crlf.ok ? crlf.content : crlf.reason).toBe(
        plain.ok ? plain.content.replaceAll('\n', '\r\n') : plain.reason,
      )
      const marked = applyEdits(`\ufeff${file}`, edits)
      expect(marked.ok ? marked.content : marked.reason).toBe(plain.ok ? `\ufeff${plain.content}` : plain.reason)
    }),
    { numRuns: 2_000 },
  )
})

test('a block copied with its indentation shifted changes the same lines in the file', () => {
  const depths = fc.array(fc.nat(3), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(depths, fc.nat(9), fc.integer({ min: 1, max: 5 }), (given, first, count) => {
      const lines = given.map((depth, index) => ({ depth, text: `line${index};` }))
      const block = lines.slice(first, first + count)
      fc.pre(block.length > 0)
      const file = lines.map(({ depth, text }) => '\t'.repeat(depth + 1) + text).join('\n')
      const spaced = (change: string) => block.map(({ depth, text }) => '    '.repeat(depth) + text + change).join('\n')
      const outcome = applyEdits(file, [{ old: spaced(''), new: spaced(' // changed') }])
      const wanted = lines.map(
        ({ depth, text }) =>
          '\t'.repeat(depth + 1) + text + (block.some((line) => line.text === text) ? ' // changed' : ''),
      )
      expect(outcome).toEqual({ ok: true, content: wanted.join('\n') })
    }),
    { numRuns: 1_000 },
  )
})

/** Letter by letter: every place of every edit, then the marks they leave. */
function reference(file: string, edits: readonly Edit[]): string {
  const owner: (number | undefined)[] = []
  const ranges: { start: number; end: number; text: string }[] = []
  for (const { old, new: text, replaceAll } of edits) {
    if (old === text) return 'NO_CHANGE'
    const places = [...file].flatMap((_, at) => (file.startsWith(old, at) ? [at] : []))
    if (places.length > 1 && !replaceAll) return 'AMBIGUOUS'
    let free = 0
    for (const start of places) {
      if (start < free) continue
      free = start + old.length
      ranges.push({ start, end: free, text })
    }
  }
  for (const [index, { start, end }] of ranges.entries()) {
    for (let at = start; at < end; at++) {
      if (owner[at] !== undefined) return 'OVERLAP'
      owner[at] = index
    }
  }
  let result = ''
  for (let at = 0; at < file.length; at++) {
    const index = owner[at]
    if (index === undefined) result += file[at]
    else if (ranges[index]?.start === at) result += ranges[index]?.text
  }
  return result === file ? 'NO_CHANGE' : result
}
