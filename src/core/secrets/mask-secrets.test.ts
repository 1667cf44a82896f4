import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventBody } from '../session/event.ts'
import { createEventMask } from './mask-event.ts'
import { maskForModel, maskSecrets } from './mask-secrets.ts'
import { createMasker, FORMS_ONLY } from './masker.ts'

const { maskOf } = FORMS_ONLY

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const word = (min: number, max = min) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: min, maxLength: max })
const upper = (length: number) => word(length).map((text) => text.toUpperCase())

/** Each makes a secret and the text it stands in. */
const PLANTS: [string, fc.Arbitrary<{ secret: string; text: string }>][] = [
  ['AWS key id', upper(16).map((s) => ({ secret: `AKIA${s}`, text: `aws s3 ls # AKIA${s} here` }))],
  ['AWS secret', word(40).map((s) => ({ secret: s, text: `aws_secret_access_key = "${s}"` }))],
  ['GitHub token', word(36).map((s) => ({ secret: `ghp_${s}`, text: `git clone https://ghp_${s}@github.com/a/b` }))],
  ['Slack token', word(24).map((s) => ({ secret: `xoxb-${s}`, text: `send xoxb-${s}` }))],
  ['OpenAI key', word(40).map((s) => ({ secret: `sk-proj-${s}`, text: `export X=sk-proj-${s}` }))],
  ['Anthropic key', word(60).map((s) => ({ secret: `sk-ant-api03-${s}`, text: `key is sk-ant-api03-${s}.` }))],
  ['JWT', word(30).map((s) => ({ secret: `eyJ${s}.eyJ${s}.${s}`, text: `got eyJ${s}.eyJ${s}.${s}` }))],
  [
    'private key',
    word(200).map((s) => ({ secret: s, text: `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----` })),
  ],
  ['cut private key', word(200).map((s) => ({ secret: s, text: `-----BEGIN PRIVATE KEY-----\n${s}` }))],
  ['pair', word(8, 30).map((s) => ({ secret: `${s}1x`, text: `mysql password=${s}1x -h db` }))],
  ['quoted pair', word(8, 30).map((s) => ({ secret: s, text: `{"client_secret": "${s}"}` }))],
  ['option', word(8, 30).map((s) => ({ secret: s, text: `deploy --api-key ${s} now` }))],
  ['header', word(12, 40).map((s) => ({ secret: s, text: `curl -H 'Authorization: Bearer ${s}' https://a.example` }))],
  ['basic header', word(12, 40).map((s) => ({ secret: s, text: `Authorization: Basic ${s}==` }))],
  ['curl user', word(8, 20).map((s) => ({ secret: `${s}!`, text: `curl -u admin:${s}! https://a.example` }))],
  ['URL', word(8, 30).map((s) => ({ secret: s, text: `postgres://app:${s}@db.example:5432/app` }))],
]

describe('maskSecrets', () => {
  it.each(PLANTS)('S0.12 masks a planted %s wherever it stands in the arguments', (_, plant) => {
    fc.assert(
      fc.property(plant, fc.constantFrom('', 'x '), ({ secret, text }, before) => {
        const value = { list: [{ deep: before + text }], other: 1 }
        const masked = maskSecrets(value)
        expect(JSON.stringify(masked.value)).not.toContain(secret)
        expect(masked.value.other).toBe(1)
      }),
      { numRuns: 60 },
    )
  })

  it('recognises the words before a secret in any case', () => {
    const before = fc.constantFrom(
      'password=',
      'PWD=',
      'client_secret: ',
      'token=',
      'Authorization: Bearer ',
      '--api-key ',
    )
    const anyCase = before.chain((text) => fc.mixedCase(fc.constant(text)))
    fc.assert(
      fc.property(anyCase, (text) => {
        expect(maskSecrets(`x ${text}h8Kq2Zr9Wd`).value).not.toContain('h8Kq2Zr9Wd')
      }),
    )
  })

  it('masks the whole value of a member with a telling name', () => {
    for (const name of ['password', 'api_key', 'apiKey', 'X-Api-Key', 'githubToken', 'Authorization', 'client_secret'])
      expect(maskSecrets({ [name]: 'open sesame' }).value).toEqual({ [name]: maskOf('open sesame') })
  })

  it('gives back the same object where there is nothing to mask', () => {
    const ordinary = [
      { path: 'src/tokens.ts', content: 'export function token(password: string): Token { return read(password) }' },
      { command: 'git log --oneline -5 && npm run build:key' },
      { command: 'echo $PASSWORD; curl -H "Authorization: $AUTH" https://user@example.com' },
      { content: 'const token = getToken()\nconst key = process.env.API_KEY' },
      { pageToken: 'CAUQAA', maxTokens: 12, key: 'name', monkey: 'x' },
    ]
    for (const value of ordinary) expect(maskSecrets(value).value).toBe(value)
  })

  it('changes nothing more when it runs over its own work', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PLANTS).chain(([, plant]) => plant),
        ({ text }) => {
          const once = maskSecrets({ text }).value
          expect(maskSecrets(once).value).toEqual(once)
        },
      ),
    )
  })

  it('keeps the shape of any data and never throws', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text)
        expect(shapeOf(maskSecrets(value).value)).toEqual(shapeOf(value))
      }),
    )
  })

  it('masks what the patterns of the settings name: the group, or the whole match', () => {
    const masker = createMasker({ patterns: [/ACME-\d{4}/g, /ticket (\w+)/g] })
    expect(maskSecrets({ a: 'use ACME-1234, ticket abc' }, masker).value).toEqual({
      a: `use ${masker.maskOf('ACME-1234')}, ticket ${masker.maskOf('abc')}`,
    })
  })

  // Work that grows with the square of the length would not end within the time of a test.
  it('comes to an end on a megabyte made to be slow, and what was no secret is still there', () => {
    for (const piece of [
      'password',
      'a://',
      'Authorization: ',
      '-----BEGIN PRIVATE KEY-----',
      'eyJaaaaaaaa.',
      '--token-',
      'key= ',
    ]) {
      const text = piece.repeat(1_000_000 / piece.length)
      expect(maskSecrets({ text, other: 'plain' }).value, piece).toMatchObject({ other: 'plain' })
    }
  })
})

describe('createEventMask', () => {
  it('S0.12 masks a secret of the arguments in every later event of the call, and forgets it at its end', () => {
    const mask = createEventMask()
    const of = { session: 's', call: 'c' }
    const events: EventBody[] = [
      { type: 'call-start', ...of, name: 'shell', arguments: { command: 'login --password hunter22' } },
      { type: 'call-delta', ...of, text: 'trying hunter22', offset: 0 },
      {
        type: 'call-end',
        ...of,
        duration: 1,
        result: { ok: true, text: 'hunter22 worked', data: { said: ['hunter22'] } },
      },
    ]
    expect(JSON.stringify(events.map(mask))).not.toContain('hunter22')
    const later: EventBody = { type: 'call-delta', ...of, text: 'hunter22', offset: 0 }
    expect(mask(later)).toBe(later)
  })

  const TOKEN = `ghp_${'a1B2'.repeat(9)}`
  const of = { session: 's', call: 'c' }

  it.each<[string, EventBody]>([
    ['the text of a result', { type: 'call-end', ...of, duration: 1, result: { ok: true, text: TOKEN, data: null } }],
    [
      'the data of a result',
      { type: 'call-end', ...of, duration: 1, result: { ok: true, text: '', data: [{ a: TOKEN }] } },
    ],
    ['a message', { type: 'message', session: 's', role: 'user', content: `use ${TOKEN}` }],
    ['reasoning', { type: 'message', session: 's', role: 'assistant', content: '', reasoning: TOKEN }],
    [
      'an attachment',
      {
        type: 'message',
        session: 's',
        role: 'user',
        content: '',
        attachments: [{ name: 'a', mediaType: 'text/plain', content: TOKEN }],
      },
    ],
    [
      'a call in a message',
      {
        type: 'message',
        session: 's',
        role: 'assistant',
        content: '',
        calls: [{ call: 'c', name: 'n', arguments: { text: TOKEN } }],
      },
    ],
    ['a summary', { type: 'run-end', session: 's', reason: 'complete', steps: 1, summary: TOKEN }],
    ['a folded context', { type: 'context-folded', session: 's', upTo: 'e', summary: TOKEN }],
    ['a title', { type: 'session-changed', session: 's', title: TOKEN }],
    ['a to-do', { type: 'todos', session: 's', items: [{ text: TOKEN, state: 'open' }] }],
    ['an input', { type: 'input-answer', ...of, input: 'i', answer: { text: TOKEN }, by: 'me' }],
    ['a problem', { type: 'call-problem', ...of, text: TOKEN }],
    [
      'what the app is asked for',
      { type: 'delegate-request', ...of, delegate: 'd', effect: { kind: 'notify', text: TOKEN } },
    ],
  ])('masks a token in %s', (_, body) => {
    const text = JSON.stringify(createEventMask()(body))
    expect(text).not.toContain(TOKEN)
    expect(text).toContain(maskOf(TOKEN))
  })

  it('masks outputs and messages by the form of a token and by the given patterns alone: source code stays readable', () => {
    const masker = createMasker({ patterns: [/CUSTOMER-\d+/g] })
    const mask = createEventMask(masker)
    const code = 'const password = "correct horse"; login(user, token: string)'
    const event = mask({ type: 'message', session: 's', role: 'assistant', content: `${code} CUSTOMER-123` })
    expect(event).toMatchObject({ content: `${code} ${masker.maskOf('CUSTOMER-123')}` })
    const end = mask({
      type: 'call-end',
      ...of,
      duration: 1,
      result: { ok: true, text: code, data: { password: 'abc123' } },
    })
    expect(end).toMatchObject({ result: { text: code, data: { password: 'abc123' } } })
  })

  it('leaves what belongs to a provider as it is', () => {
    const wire = { signature: TOKEN }
    expect(createEventMask()({ type: 'message', session: 's', role: 'assistant', content: TOKEN, wire })).toMatchObject(
      {
        content: maskOf(TOKEN),
        wire,
      },
    )
  })
})

describe('a masker', () => {
  it('gives the same secret the same mask under the same key, and another under another', () => {
    const key = () => new Uint8Array(32).fill(7)
    const [one, two, other] = [createMasker({ key }), createMasker({ key }), createMasker()]
    expect(one.maskOf('hunter2')).toMatch(/^\[masked [0-9a-f]{4}\]$/)
    expect(one.maskOf('hunter2')).toBe(two.maskOf('hunter2'))
    const secrets = Array.from({ length: 20 }, (_, index) => `secret ${index}`)
    expect(secrets.map(one.maskOf)).not.toEqual(secrets.map(other.maskOf))
  })

  it('masks known secrets in what a model sees, the longer first', () => {
    const masker = createMasker({ known: () => ['hunter2-and-more', 'hunter2'] })
    const shown = maskForModel({ text: 'hunter2 hunter2-and-more', list: ['x'] }, masker)
    expect(shown).toEqual({ text: `${masker.maskOf('hunter2')} ${masker.maskOf('hunter2-and-more')}`, list: ['x'] })
  })
})

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
}
