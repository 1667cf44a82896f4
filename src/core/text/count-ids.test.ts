import { expect, it } from 'vitest'
import { countIds } from './count-ids.ts'

it('counts in digits and letters, at least five of them, without a gap or a repetition', () => {
  const next = countIds('c_')
  const made = Array.from({ length: 4_000 }, next)
  expect(made).toEqual(made.map((_, index) => `c_${(index + 1).toString(36).padStart(5, '0')}`))
  expect(made.slice(0, 2)).toEqual(['c_00001', 'c_00002'])
})
