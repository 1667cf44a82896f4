import { expect, test } from 'vitest'
import { exampleHost } from '../support/example-host.ts'

// Long enough that work which grows with the square of the length would not end within the time of a test.

test('a long text with unescaped quotes is refused, since repairing it would take too long', async () => {
  const host = await exampleHost()
  const result = await host.call('task_complete', `{"summary":"${'say "hello" now '.repeat(50_000)}"}`)
  expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  expect(result.text).toContain('quotes that are not escaped')
})

test('a text concatenated from many pieces is read completely', async () => {
  const host = await exampleHost()
  const pieces = Array.from({ length: 60_000 }, (_, i) => `piece ${i}\u{1f600}`)
  const result = await host.call('task_complete', `{"summary":${pieces.map((piece) => `'${piece}'`).join('+')}}`)
  expect(result).toMatchObject({ ok: true, data: { summary: pieces.join('') } })
})

test.for(['12345678901234567890', '-12345678901234567890.0'])(
  'the number %s, which cannot be kept, is refused',
  async (a) => {
    const result = await (await exampleHost()).call('add_numbers', `{"a":${a},"b":1}`)
    expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
    expect(result.text).toContain('too many digits to be kept exactly')
  },
)
