import { describe, expect, it } from 'vitest'
import { callEvents } from '../support/call-events.ts'
import { STORAGES } from '../support/storages.ts'

describe.each(STORAGES)('the ledger of %s', (_, open) => {
  it('records many calls at once, and their ends', async () => {
    const { log, ledger } = open()
    const calls = Array.from({ length: 50 }, (_, i) => `c${i}`)
    await Promise.all(
      calls.map(async (call) => {
        for (const body of callEvents({ call }).slice(0, 3)) log.append(body)
        await ledger.begin({ session: 's1', call, effect: 'write', idempotent: false })
        for (const body of callEvents({ call }).slice(3)) log.append(body)
        await log.flush()
      }),
    )
    expect(await log.calls({ outcome: 'ok' })).toHaveLength(50)
    expect(log.problem()).toBeUndefined()
  })
})
