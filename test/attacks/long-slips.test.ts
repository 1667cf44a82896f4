import { expect, test } from 'vitest'
import { exampleHost } from '../support/example-host.ts'

/** Far more than the work takes, far less than work that grows with the square of the length. */
const A_MOMENT = 2_000

test('a long text whose quotes are not escaped is refused in a moment: nobody may guess so long', async () => {
  const host = await exampleHost()
  const started = performance.now()
  const result = await host.call('task_complete', `{"summary":"${'say "hello" now '.repeat(50_000)}"}`)
  expect(performance.now() - started).toBeLessThan(A_MOMENT)
  expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  expect(result.text).toContain('quotes that are not escaped')
})

test('a text put together of many pieces is read in a moment, whole', async () => {
  const host = await exampleHost()
  const pieces = Array.from({ length: 60_000 }, (_, i) => `piece ${i}\u{1f600}`)
  const started = performance.now()
  const result = await host.call('task_complete', `{"summary":${pieces.map((piece) => `'${piece}'`).join('+')}}`)
  expect(performance.now() - started).toBeLessThan(A_MOMENT)
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
