import { expect, test } from 'vitest'
import { toCopilotResult, toToolResult, toValueResult } from '../call/result-forms.ts'
import { outputLines } from '../ports/outputs.ts'
import { wireNameOf } from '../tool/wire-name.ts'
import { nearest } from './nearest.ts'
import { insidePath, resolvePath } from './paths.ts'
import { printable, printableLine } from './printable.ts'

test.for([
  ['read_file', [], 'read_file'],
  ['weather_tools:get_weather', [], 'weather_tools_get_weather'],
  ['a.b', ['a_b'], 'a_b_108bf50c'],
  ['x'.repeat(80), [], 'x'.repeat(64)],
] as const)('%s has a legal wire name, with a hash only when it is taken', ([id, taken, expected]) => {
  const name = wireNameOf(id, (one) => taken.some((other) => other === one))
  expect(name).toBe(expected)
  expect(name).toMatch(/^[\w-]{1,64}$/)
})

test('a wire name is found even when every hash seems taken at first', () => {
  const seen = new Set<string>()
  const names = Array.from({ length: 50 }, () => {
    const name = wireNameOf('same:name', (one) => seen.has(one))
    seen.add(name)
    return name
  })
  expect(new Set(names).size).toBe(50)
})

test.for([
  ['writeFile', ['write_file']],
  ['functions.write_file', ['write_file']],
  ['wriet_file', ['write_file']],
  ['raed_file', ['read_file']],
  ['zzz', []],
  ['', []],
] as const)('the nearest to %j is %j', ([name, expected]) => {
  expect(nearest(name, ['read_file', 'write_file', 'shell'])).toEqual(expected)
})

test.for([
  ['/w', 'a/../b', '/w/b'],
  ['/w', '../../..', '/'],
  ['/w', '/etc//passwd/.', '/etc/passwd'],
] as const)('%s and %s resolve to %s', ([base, path, expected]) => {
  expect(resolvePath(base, path)).toBe(expected)
})

test.for([
  ['/w', 'a', 'a'],
  ['/w', '/w/a', 'a'],
  ['/w', '.', '.'],
  ['/w', '../w/a', 'a'],
  ['/w', '../w-evil/a', undefined],
  ['/w', '/', undefined],
  ['/', 'etc', 'etc'],
] as const)('inside %s, %s is %s', ([workspace, path, expected]) => {
  expect(insidePath(workspace, path)).toBe(expected)
})

test('what acts unseen on a terminal is shown, newlines and tabs stay', () => {
  expect(printable('a\u001b[31mb\u202ec\u200bd\u0007\n\te\ud800')).toBe(
    'a\\u{1b}[31mb\\u{202e}c\\u{200b}d\\u{7}\n\te\\u{d800}',
  )
  expect(printable('é 😀 漢')).toBe('é 😀 漢')
  expect(printableLine('a\n\tb')).toBe('a\\n\\tb')
})

test('long lines fold without breaking a character', () => {
  const lines = outputLines(`${'x'.repeat(3_999)}😀y\nz`)
  expect(lines).toEqual(['x'.repeat(3_999), '😀y', 'z'])
})

const success = { ok: true, text: 'fine', data: { exitCode: 0 } } as const
const failed = { ok: false, code: 'TIMEOUT', text: 'too slow', details: { seconds: 1 } } as const

test('S1.12 results export as value or error', () => {
  expect(toValueResult(success)).toEqual({ ok: true, value: { exitCode: 0 } })
  expect(toValueResult(failed)).toEqual({
    ok: false,
    error: { code: 'TIMEOUT', message: 'too slow', details: { seconds: 1 } },
  })
})

test('S0.7 results export as resultType and textResultForLlm', () => {
  expect(toCopilotResult(success)).toEqual({ resultType: 'success', textResultForLlm: 'fine' })
  expect(toCopilotResult(failed)).toEqual({
    resultType: 'failure',
    textResultForLlm: 'too slow',
    error: 'TIMEOUT: too slow',
  })
})

test('S4.5 results export as tool_call_id, output, error and success; another exit code than 0 is no success', () => {
  expect(toToolResult(success, 'c1')).toEqual({ tool_call_id: 'c1', output: 'fine', success: true })
  expect(toToolResult(failed, 'c1')).toEqual({
    tool_call_id: 'c1',
    output: '',
    error: 'TIMEOUT: too slow',
    success: false,
  })
  expect(toToolResult({ ...success, data: { exitCode: 2 } }, 'c1')).toEqual({
    tool_call_id: 'c1',
    output: 'fine',
    error: 'exit code 2',
    success: false,
  })
})
