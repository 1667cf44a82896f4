import { describe, expect, it } from 'vitest'
import { STORAGES } from '../support/storages.ts'

describe.each(STORAGES)('the cursors of %s', (_, open) => {
  it('a body that is appended twice makes two events', async () => {
    const { log } = open()
    const body = { type: 'session-changed', session: 's1', title: 'once' } as const
    const [first, second] = [log.append(body), log.append(body)]
    expect(first.id).not.toBe(second.id)
    expect((await log.read()).map(({ id }) => id)).toEqual([first.id, second.id])
  })

  it('reading after a cursor finds all that came later, also where a session between was deleted', async () => {
    const { log, leases } = open()
    const sessions = ['a', 'b', 'c', 'b', 'b', 'a', 'b']
    const append = (at: number) =>
      log.append({ type: 'session-changed', session: sessions[at % sessions.length] ?? '', title: `${at}` })
    for (let at = 0; at < 40; at++) append(at)
    await log.flush()
    expect(await leases.delete('b')).toBe(true)
    for (let at = 40; at < 50; at++) append(at)
    const all = await log.read()
    expect(all.length).toBeLessThan(40)
    for (let after = 0; after <= (await log.end()) + 1; after++) {
      const later = all.filter(({ cursor = 0 }) => cursor > after)
      expect(await log.read({ after })).toEqual(later)
      expect(await log.read({ after, session: 'c' })).toEqual(later.filter(({ session }) => session === 'c'))
    }
  })
})
