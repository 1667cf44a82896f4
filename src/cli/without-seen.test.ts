import { expect, test } from 'vitest'
import { withoutSeen } from './without-seen.ts'

const ran = (stdout: string, stderr: string, text: string) => ({ ok: true as const, text, data: { stdout, stderr } })

test('what was seen is not shown again, and what comes after it is', () => {
  expect(withoutSeen({ ok: true, text: 'one\ntwo\n[exit code 3]', data: null }, 'one\ntwo\n').text).toBe(
    '[exit code 3]',
  )
  expect(withoutSeen(ran('a\n', '', 'a'), 'a\n').text).toBe('')
})

test.for([
  ['a\nb\n', 'bad\n', 'a\nb\n[stderr]\nbad\n[exit code 2]', 'a\nbad\nb\n'],
  ['', 'bad $& worse\n', '[stderr]\nbad $& worse\n[exit code 2]', 'bad $& worse\n'],
] as const)('what came mixed from two streams is not shown again one after the other', ([out, err, text, seen]) => {
  expect(withoutSeen(ran(out, err, text), seen).text).toBe('[exit code 2]')
})

test('a result of which only a part was seen, or another text, is shown whole', () => {
  const whole = ran('a\nb\n', 'bad\n', 'a\nb\n[stderr]\nbad')
  expect(withoutSeen(whole, 'a\n[masked]\n')).toBe(whole)
  expect(withoutSeen(whole, '')).toBe(whole)
})
