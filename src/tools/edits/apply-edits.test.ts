import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyEdits, type EditOutcome } from './apply-edits.ts'
import { describeEditFailure } from './describe-failure.ts'
import type { Edit } from './match-edit.ts'

interface Case {
  readonly id: string
  readonly why: string
  readonly file: string | null
  readonly edits: readonly Edit[]
  readonly expect: Expected
  readonly accept?: readonly Expected[]
}

type Expected = { ok: true; content: string } | { ok: false; code: string; hintMentions?: readonly string[] }

const cases: readonly Case[] = ['edits.json', 'edits-more.json'].flatMap(
  (name) => JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/data', name), 'utf8')).cases,
)

describe('S3.6 edits are matched as the corpus says', () => {
  test.each(cases.map((each) => [each.id, each.why, each] as const))(
    '%s: %s',
    (_id, _why, { file, edits, ...wanted }) => {
      const outcome = applyEdits(file, edits)
      const fits = [wanted.expect, ...(wanted.accept ?? [])].find((expected) => isAs(outcome, expected))
      expect(fits ?? wanted.expect).toEqual(plain(outcome, fits ?? wanted.expect))
      if (outcome.ok || !fits || fits.ok) return
      const text = describeEditFailure(outcome, file ?? '', edits)
      for (const mention of fits.hintMentions ?? []) expect(text).toContain(mention)
    },
  )
})

function isAs(outcome: EditOutcome, expected: Expected): boolean {
  if (outcome.ok || expected.ok) return outcome.ok && expected.ok && outcome.content === expected.content
  return outcome.reason === expected.code
}

/** The outcome in the words of the corpus, so that a failing test shows the difference. */
function plain(outcome: EditOutcome, expected: Expected): Expected {
  if (outcome.ok) return { ok: true, content: outcome.content }
  return { ...(expected.ok ? {} : expected), ok: false, code: outcome.reason }
}

describe('what the corpus leaves open', () => {
  const edit = (file: string, old: string, text: string) => applyEdits(file, [{ old, new: text }])
  const made = (file: string, old: string, text: string) => {
    const outcome = edit(file, old, text)
    return outcome.ok ? outcome.content : outcome.reason
  }

  test('a level that old does not have is written in whole steps of the file', () => {
    const file = 'function f() {\n\tgo();\n}\n'
    const old = 'function f() {\n    go();\n}'
    expect(made(file, old, 'function f() {\n    if (x) {\n        go();\n    }\n}')).toBe(
      'function f() {\n\tif (x) {\n\t\tgo();\n\t}\n}\n',
    )
  })

  test('new that is in the indentation of the file already stays as it is', () => {
    expect(made('def f():\n    x = 1\n', 'def f():\n  x = 1', 'def f():\n    x = 2')).toBe('def f():\n    x = 2\n')
  })

  test('a dedented block goes back to its depth', () => {
    const file = 'class A:\n    def f(self):\n        return 1\n'
    expect(made(file, 'def f(self):\n    return 1', 'def f(self):\n    return 2')).toBe(
      'class A:\n    def f(self):\n        return 2\n',
    )
  })

  test('a newline that the file does not have at its end is overlooked, and not added', () => {
    expect(made('a\nb', 'b\n', 'c\n')).toBe('a\nc')
    expect(made('a\r\nb', 'a\nb\n', 'a\nc\nd\n')).toBe('a\r\nc\r\nd')
    expect(made('ab\r\nab', 'ab\n', 'c\n')).toBe('c\r\nab')
  })

  test('in a file of both line ends new text takes the one that comes next', () => {
    expect(made('a\nb\r\nc\nd\n', 'b\nc', 'B\nC')).toBe('a\nB\r\nC\nd\n')
    expect(made('a\nb\r\nc\n', 'b\r\n', 'b\n')).toBe('a\nb\nc\n')
  })

  test('a line break is never torn apart', () => {
    expect(made('a\r\nb\r\n', '\nb', '\nc')).toBe('a\r\nc\r\n')
  })

  test('half of a look-alike is no place', () => {
    expect(made('wait…\n', 'wait..', 'go')).toBe('NOT_FOUND')
    expect(made('wait…\n', 'wait...', 'go')).toBe('go\n')
  })

  test('a single line with a number and a colon is a listing only where the number is its line', () => {
    expect(made('a\nname\n', '7: name', 'x')).toBe('NOT_FOUND')
    expect(made('a\nname\n', '2: name', '2: nom')).toBe('a\nnom\n')
  })

  test('a listing whose new text is numbered in part is refused', () => {
    expect(made('a\nb\n', '1\ta\n2\tb', '1\ta\nc\n2\tb')).toBe('NOT_FOUND')
  })

  test('replaceAll reaches every place across line ends, but no second one by looser likeness', () => {
    expect(applyEdits('x\r\ny\r\nx\r\ny\r\n', [{ old: 'x\ny', new: 'z', replaceAll: true }])).toEqual({
      ok: true,
      content: 'z\r\nz\r\n',
    })
    expect(applyEdits('“a” “a”', [{ old: '"a"', new: 'b', replaceAll: true }])).toMatchObject({ reason: 'AMBIGUOUS' })
  })

  test('long text that repeats itself is answered', () => {
    const lines = '\tx\n'.repeat(100_000)
    expect(made(lines, `${'    x\n'.repeat(50_000)}y`, 'z')).toBe('NOT_FOUND')
    const edits = [{ old: 'x', new: 'z' }]
    const outcome = applyEdits(lines, edits)
    expect(outcome.ok ? '' : describeEditFailure(outcome, lines, edits)).toContain('100000 places')
  })

  test('a large file and a long old text are answered', () => {
    const file = Array.from({ length: 30_000 }, (_, index) => `  const value${index} = compute(${index * 7})`).join(
      '\n',
    )
    const outcome = edit(file, file.slice(0, 40_000).replaceAll('compute', 'computed'), 'x')
    expect(outcome).toMatchObject({ reason: 'NOT_FOUND' })
    if (!outcome.ok)
      describeEditFailure(outcome, file, [{ old: file.slice(0, 40_000).replaceAll('compute', 'computed'), new: 'x' }])
  })
})
