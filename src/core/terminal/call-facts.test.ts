import { expect, test } from 'vitest'
import type { Result } from '../call/result.ts'
import { outputOf } from './call-facts.ts'

const shown = (output: string, result: Result) => outputOf({ output, result }).text

test('what an ended call printed stays above its result, unless the result holds it', () => {
  expect(shown('one\n', { ok: true, text: 'fine', data: 'fine' })).toBe('one\nfine')
  expect(shown('one\n', { ok: false, code: 'EXECUTION_ERROR', text: 'no' })).toBe('one\n')
  expect(shown('one\n', { ok: true, text: 'one\nExit code 0', frame: 'Exit code 0', data: {} })).toBe(
    'one\nExit code 0',
  )
  expect(shown('one\n', { ok: true, text: 'one', data: 'one' })).toBe('one')
  expect(shown('', { ok: true, text: 'fine', data: 'fine' })).toBe('fine')
})
