import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FORMS_ONLY, MASK } from '../../core/secrets/masker.ts'
import { settle } from './plain-data.ts'

it('finds a mask anywhere in plain data, names of members included, and nothing in data without one', () => {
  const mask = FORMS_ONLY.maskOf('x')
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(settle([before, { a: [`text ${mask}`] }, after])).toMatchObject({ mask: expect.stringMatching(MASK) })
      expect(settle({ [`a ${mask}`]: before })).toMatchObject({ mask })
      expect(settle([before, mask])).toMatchObject({ mask })
      expect(settle([before, '[masked]', '[masked 3f9]', '[MASKED 3F9C]', after])).toMatchObject({ mask: undefined })
    }),
  )
})
