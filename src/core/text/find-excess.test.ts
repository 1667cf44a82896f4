import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findExcess, MAX_MEMBERS, MAX_VALUES } from './find-excess.ts'

const members = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])))

it('accepts the most members and values that are allowed, and refuses one more', () => {
  expect(findExcess(members(MAX_MEMBERS))).toBeUndefined()
  expect(findExcess(members(MAX_MEMBERS + 1))).toBe('an object has more than 10,000 members')
  expect(findExcess(`[${'[],'.repeat(MAX_VALUES - 1)}[]]`)).toBeUndefined()
  expect(findExcess(`[${'[],'.repeat(MAX_VALUES)}[]]`)).toContain('more than 100,000 values')
  expect(findExcess(`[${'{"a":[1]},'.repeat(MAX_VALUES / 2)}1]`)).toContain('more than 100,000 values')
})

it('counts the values of any JSON exactly, whatever its texts hold and however it is indented', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, one) => sum + 1 + count(one), 0)
      : 0
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.constantFrom(0, 2), (value, text, indent) => {
      const given = { a: text, b: '"\\{[,\'', value }
      const fill = MAX_VALUES - count(given) - 2
      const withFill = (more: number) =>
        JSON.stringify([given, Array.from({ length: fill + more }, () => 0)], undefined, indent)
      expect(findExcess(withFill(0))).toBeUndefined()
      expect(findExcess(withFill(1))).toBeDefined()
    }),
    { numRuns: 20 },
  )
})

it('counts nothing in quotes, and stops at a depth', () => {
  const text = '[{,]}:'.repeat(1_000_000)
  for (const quote of ['"', "'"]) expect(findExcess(`{${quote}a${quote}: ${quote}${text}${quote}}`)).toBeUndefined()
  expect(findExcess('[[[]]]', 3)).toBeUndefined()
  expect(findExcess('[[[[]]]]', 3)).toBe('it is nested deeper than 3 levels')
})
