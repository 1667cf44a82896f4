import { expect, test } from 'vitest'
import { exampleHost } from '../support/example-host.ts'

const SEPARATORS = [' && ', '; ', ' | ', ' & ', '\n', ' || '] as const

test.for(SEPARATORS)(
  'one dangerous command among fifty harmless ones, joined by %j, is found wherever it stands',
  async (separator) => {
    const host = await exampleHost()
    const harmless = Array.from({ length: 50 }, (_, i) => `echo ${i}`)
    for (const at of [0, 1, 25, 49, 50]) {
      const command = harmless.toSpliced(at, 0, 'rm -rf ~').join(separator)
      expect((await host.check('shell', { command })).decision).toBe('deny')
    }
  },
)

test('fifty layers of wrapping hide nothing', async () => {
  const host = await exampleHost()
  for (const wrap of [
    (inner: string) => `( ${inner} )`,
    (inner: string) => `env ${inner}`,
    (inner: string) => `{ ${inner}; }`,
    (inner: string) => `if true; then ${inner}; fi`,
  ]) {
    let command = 'rm -rf ~'
    for (let i = 0; i < 50; i++) command = wrap(command)
    expect((await host.check('shell', { command })).decision).toBe('deny')
  }
})

test('fifty everyday commands are still everyday', async () => {
  const host = await exampleHost()
  const command = Array.from({ length: 50 }, (_, i) => `echo ${i}`).join(' && ')
  expect((await host.check('shell', { command })).decision).toBe('allow')
})
