import { expect, test } from 'vitest'
import type { Rule } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'

const boom = () => {
  throw new Error('boom')
}
const ways: readonly [string, Rule][] = [
  ['an allow whose condition throws', { name: 'trap', decision: 'allow', when: boom }],
  ['an ask whose condition throws', { name: 'trap', decision: 'ask', when: boom }],
]

test.for(ways)('%s denies, whatever other rules allow', async ([, rule]) => {
  const host = await exampleHost({ rules: [{ name: 'all is well', decision: 'allow' }, rule] })
  const result = await host.call('add_numbers', { a: 1, b: 2 }, { decision: 'allow' })
  expect(result).toMatchObject({ ok: false, code: 'BLOCKED', details: { rule: 'trap' } })
  expect(result.text).toContain('boom')
})

test('a rule of which only the text for people is broken still decides', async () => {
  const host = await exampleHost({ rules: [{ name: 'odd', decision: 'deny', reason: '\u001b[2J' }] })
  expect(await host.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ ok: false, code: 'BLOCKED' })
})
