import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGoReport, readJestReport } from './read-json.ts'
import { readJunitReport } from './read-junit.ts'
import { readAnyOutput, readCargoOutput, readUnittestOutput } from './read-text.ts'

test('reports of surefire and gradle are read: several files, CDATA, entities', () => {
  const one =
    '<testsuite tests="2"><testcase name="adds" classname="a.SumTest" time="0.1"/><testcase name="fails" classname="a.SumTest"><failure message="expected: &lt;3&gt;" type="x"><![CDATA[expected: <3>\n\tat a.SumTest.fails(SumTest.java:7)]]></failure></testcase></testsuite>'
  const two = "<testsuite><testcase name='later' classname='a.B'><skipped/></testcase></testsuite>"
  expect(readJunitReport(`${one}\n${two}`, '/w')).toEqual({
    ...{ passed: 1, failed: 1, skipped: 1 },
    failures: [{ name: 'a.SumTest fails', message: 'expected: <3>\n\tat a.SumTest.fails(SumTest.java:7)' }],
  })
})

test('a package of Go that does not compile is one failure', () => {
  const lines = [
    { Action: 'output', Package: 'p', Output: 'p.go:3:1: syntax error\n' },
    { Action: 'fail', Package: 'p' },
  ]
  expect(readGoReport(lines.map((line) => JSON.stringify(line)).join('\n'))).toMatchObject({
    ...{ passed: 0, failed: 1, skipped: 0 },
    failures: [{ name: 'p', message: 'p.go:3:1: syntax error' }],
  })
})

test('the summary of mocha is read', () => {
  const stdout = '  sums\n    ✔ adds\n    1) fails\n\n  1 passing (4ms)\n  2 pending\n  1 failing\n'
  expect(readAnyOutput({ stdout, stderr: '', report: '' }, '/w')).toEqual({
    passed: 1,
    failed: 1,
    skipped: 2,
    failures: [],
  })
})

test('no output, however broken, makes a reader throw or take long', () => {
  const pieces = fc.constantFrom(
    '<testcase',
    ' name="',
    '"',
    "'",
    '>',
    '</testcase>',
    '<failure>',
    '&#9999999999;',
    'test a ... FAILED\n',
    '---- a stdout ----',
    'not ok 1',
    '\n  ',
    '{"Action":"fail"}',
    '='.repeat(70),
    '\n',
    'FAIL: x (y)\n',
    'panicked at',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 200 }), (parts) => {
      const text = parts.join('')
      const output = { stdout: text, stderr: text, report: text }
      readJunitReport(text, '/w')
      readJestReport(text, '/w')
      readGoReport(text)
      readCargoOutput(output)
      readUnittestOutput(output, '/w')
      readAnyOutput(output, '/w')
    }),
  )
})
