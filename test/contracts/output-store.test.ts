import { describe, expect, it } from 'vitest'
import { STORAGES } from '../support/storages.ts'

describe.each(STORAGES)('the outputs of %s', (_, open) => {
  it('are kept in full and read by line range; a later one replaces the first', async () => {
    const { outputs } = open()
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i + 1} \u0000`)
    await outputs.keep('c1', lines.join('\n'))
    expect(await outputs.read('c1', 1, 2)).toEqual({ lines: lines.slice(0, 2), from: 1, to: 2, total: 30_000 })
    expect(await outputs.read('c1', 14_000, 20_000)).toEqual({
      lines: lines.slice(13_999, 20_000),
      from: 14_000,
      to: 20_000,
      total: 30_000,
    })
    expect((await outputs.read('c1', 29_999, 40_000))?.lines).toEqual(lines.slice(-2))
    expect(await outputs.read('c1', 50_000, 50_001)).toMatchObject({ lines: [], total: 30_000 })
    expect(await outputs.read('c2', 1, 2)).toBeUndefined()
    await outputs.keep('c1', 'shorter')
    expect(await outputs.read('c1', 1, 9)).toEqual({ lines: ['shorter'], from: 1, to: 1, total: 1 })
  })
})
