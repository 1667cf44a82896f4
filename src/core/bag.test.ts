import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Bag } from './bag.ts'

it('holds what a Set would hold, whatever comes and goes', () => {
  const step = fc.record({ who: fc.nat(9), comes: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const members = Array.from({ length: 10 }, (_, name) => ({ name, slot: -1 }))
      const bag = new Bag<(typeof members)[number]>()
      const set = new Set<(typeof members)[number]>()
      for (const { who, comes } of steps) {
        const member = members[who]
        if (member === undefined || (comes && set.has(member))) continue
        if (comes) {
          bag.add(member)
          set.add(member)
        } else {
          bag.remove(member)
          set.delete(member)
        }
        expect(bag.size).toBe(set.size)
        expect(new Set(bag.list())).toEqual(set)
      }
    }),
  )
})
