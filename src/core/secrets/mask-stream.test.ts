import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskKnown, maskTokens } from './mask-secrets.ts'
import { MaskedStream, type StreamSecrets } from './mask-stream.ts'
import { createMasker, FORMS_ONLY } from './masker.ts'

const { maskOf } = FORMS_ONLY

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow/'.repeat(30)}\n-----END RSA PRIVATE KEY-----`
const TOKENS = [
  `ghp_${'a1B2'.repeat(9)}`,
  'AKIAABCDEFGHIJKLMNOP',
  `sk-${'x'.repeat(40)}`,
  `eyJ${'a'.repeat(50)}.${'b'.repeat(80)}.${'c'.repeat(40)}`,
  `npm_${'A'.repeat(36)}`,
  KEY,
]
const WORDS = ['hello ', 'a line\n', 'gh', 'sk', '-----', 'BEGIN ', 'A', 'npm ', 'eyJ ', '😀', '--- ', 'hf_ ']

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS),
      fc.constantFrom(...TOKENS).map((token) => ` ${token} `),
      fc.string(),
    ),
    {
      maxLength: 20,
    },
  )
  .map((parts) => parts.join(''))

function cut(whole: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b)
  return [0, ...cuts].map((from, i) => whole.slice(from, cuts[i] ?? whole.length))
}

function pass(pieces: readonly string[], secrets: StreamSecrets = {}): string {
  const stream = new MaskedStream(secrets)
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end()
}

describe('MaskedStream', () => {
  it('masks as if the text had come in one piece, wherever it is cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 30 }), (whole, places) => {
        expect(pass(cut(whole, places))).toBe(maskTokens(whole))
      }),
      { numRuns: 500 },
    )
  })

  it('lets no token through, character by character', () => {
    for (const token of TOKENS) {
      const shown = pass([...`before ${token} after`])
      expect(shown).toBe(`before ${maskOf(token)} after`)
    }
  })

  it('masks the known secrets of a call and the given patterns across pieces', () => {
    const masker = createMasker({ patterns: [/CUSTOMER-\d+/g] })
    const secrets = { known: ['hunter22'], masker }
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 10 }), (places) => {
        const whole = 'try hunter22 for CUSTOMER-4711 now\nhunter hunter22\n'
        expect(pass(cut(whole, places), secrets)).toBe(maskTokens(maskKnown(whole, secrets.known, masker), masker))
      }),
    )
  })

  it('masks values of .env files across random pieces as if they had come in one', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '\n', '$', '😀'), minLength: 6, maxLength: 40 })
    fc.assert(
      fc.property(
        fc.uniqueArray(value, { minLength: 1, maxLength: 5 }),
        fc.array(fc.oneof(fc.nat(4), fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '\n', ' ') }))),
        fc.array(fc.nat(), { maxLength: 30 }),
        (values, parts, places) => {
          const known = values.toSorted((a, b) => b.length - a.length)
          const whole = parts.map((part) => (typeof part === 'number' ? (known[part] ?? '') : part)).join('')
          const shown = pass(cut(whole, places), { masker: createMasker({ known: () => known }) })
          for (const one of known) expect(shown).not.toContain(one)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('masks a long private key under one mask, and swallows one that is far too long', () => {
    const long = `-----BEGIN PRIVATE KEY-----\n${'MIIEow/\n'.repeat(1_000)}-----END PRIVATE KEY-----`
    expect(pass(cut(`a ${long} b`, [5, 40, 4_000, 4_200, 7_000, 8_040]))).toBe(`a ${maskOf(long)} b`)
    const endless = `-----BEGIN PRIVATE KEY-----\n${'MIIEow/\n'.repeat(5_000)}-----END PRIVATE KEY-----`
    expect(pass(cut(`a ${endless} b`, [40, 17_000, 20_000]))).toMatch(/^a \[masked [0-9a-f]{4}\] b$/)
  })

  it('swallows a token that never ends, and goes on after it', () => {
    const stream = new MaskedStream()
    let shown = ''
    for (let i = 0; i < 100; i++) shown += stream.push(`${i === 0 ? 'sk-' : ''}${'x'.repeat(1_000)}`)
    shown += stream.push(' and on') + stream.end()
    expect(shown).toMatch(/^\[masked [0-9a-f]{4}\] and on$/)
  })

  it('masks a private key that never ends', () => {
    const stream = new MaskedStream()
    const shown = ['a -----BEGIN PRIV', 'ATE KEY-----\nMIIE', 'secret\n', 'more'].map((piece) => stream.push(piece))
    expect(shown.join('') + stream.end()).not.toMatch(/MIIE|secret|more/)
  })

  it('holds nothing back that cannot become a secret', () => {
    const stream = new MaskedStream()
    expect(stream.push('Password for ada: ')).toBe('Password for ada: ')
    expect(stream.push('100 of 200')).toBe('100 of 200')
    expect(stream.push('done')).toBe('done')
  })
})
