import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayContainSecret, mayContainToken, SECRET_LOOKS, SECRET_PLACES, TOKEN_PREFIXES } from './secret-patterns.ts'
import { createTrigramScan } from './trigram-scan.ts'

describe('createTrigramScan', () => {
  it('finds every beginning wherever it stands and in whatever case', () => {
    const beginnings = ['token', '://', '-u ', 'ghp_']
    const scan = createTrigramScan(beginnings)
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...beginnings).chain((text) => fc.mixedCase(fc.constant(text))),
        fc.string({ unit: 'binary' }),
        (before, beginning, after) => scan(before + beginning + after),
      ),
    )
  })

  it('passes over texts without one', () => {
    const scan = createTrigramScan(['token', '://'])
    for (const text of ['', 'to', 'ten toes', 'hello world', 'a:/b', '{"count":3}']) expect(scan(text)).toBe(false)
  })

  it('refuses a beginning that is too short to be found', () => {
    expect(() => createTrigramScan(['ab'])).toThrow('too short')
  })
})

describe('the first check for secrets', () => {
  /** Pieces that secrets are made of, so that random texts often hold one. */
  const pieces = fc.constantFrom(
    ...TOKEN_PREFIXES,
    ...['password', 'PWD', 'api-key', 'secret', 'Bearer ', 'authorization', 'credentials', 'https://me:', '@host'],
    ...['--user ', ' -u ', 'a:', '=', ': ', '"', "'", ' ', '\n', '-----BEGIN PRIVATE KEY-----', '4fQ9x81Zr0', 'abcdef'],
  )
  const text = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))

  it('S0.12 lets no text pass that one of the patterns matches', () => {
    let matched = 0
    fc.assert(
      fc.property(text, (value) => {
        const isToken = SECRET_LOOKS.some((pattern) => value.search(pattern) >= 0)
        const isSecret = isToken || SECRET_PLACES.some((pattern) => value.search(pattern) >= 0)
        if (isToken) expect(mayContainToken(value)).toBe(true)
        if (isSecret) expect(mayContainSecret(value)).toBe(true)
        matched += Number(isSecret)
      }),
      { numRuns: 3_000 },
    )
    expect(matched).toBeGreaterThan(300)
  })
})
