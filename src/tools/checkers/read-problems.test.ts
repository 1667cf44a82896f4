import { expect, test } from 'vitest'
import { findNew, readProblems } from './read-problems.ts'

const isFile = (path: string) => /^(\.\/|\/w\/)?src\/a\.(ts|py|go)$/.test(path)

test.for<[string, string, number, string]>([
  ['tsc', "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.", 3, 'error TS2322: Type'],
  [
    'biome',
    '::error title=lint/suspicious/noDebugger,file=src/a.ts,line=2,endLine=2,col=1,endColumn=9::This is an unexpected use.',
    2,
    'lint/suspicious/noDebugger: This is',
  ],
  [
    'eslint',
    '[{"filePath":"/w/src/a.ts","messages":[{"ruleId":"no-undef","severity":2,"message":"\'x\' is not defined.","line":4}]}]',
    4,
    "no-undef: 'x' is not",
  ],
  ['ruff', 'src/a.py:1:8: F401 [*] `os` imported but unused', 1, 'F401'],
  ['mypy', 'src/a.py:5: error: Name "y" is not defined  [name-defined]', 5, 'error: Name'],
  ['pyright', '  /w/src/a.py:7:5 - error: "z" is not defined', 7, 'error: "z"'],
  ['go vet', 'vet: ./src/a.go:6:9: cannot use "x" as int value', 6, 'cannot use'],
])('a problem that %s prints is read', ([, printed, line, message]) => {
  expect(readProblems(`something else\n${printed}\nFound 1 error.`, isFile)).toEqual([
    { line, message: expect.stringContaining(message) },
  ])
})

test('problems of other files, and lines of other forms, are left out', () => {
  const printed = 'src/b.ts(3,7): error TS1: x\n[{not json\n[{}]\nhttp://src/a.ts:80: x\n# src\n  src/a.ts\n'
  expect(readProblems(printed, isFile)).toEqual([])
})

test('only problems that were not there before are new, wherever they are now, and each as often as it was added', () => {
  const [a, b] = ['a', 'b'].map((message) => (line: number) => ({ line, message }))
  if (a === undefined || b === undefined) throw new Error('no problems')
  expect(findNew([a(9), a(10), b(3)], [a(1)])).toEqual([a(10), b(3)])
  expect(findNew([a(9)], [a(1), b(1)])).toEqual([])
})
