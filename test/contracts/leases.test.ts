import { describe, expect, it } from 'vitest'
import { appendCall, callEvents } from '../support/call-events.ts'
import { STORAGES } from '../support/storages.ts'

const message = (content: string) => ({ role: 'user', content }) as const

describe.each(STORAGES)('the leases of %s', (_, open) => {
  it('let one run a session at a time, and append every message', async () => {
    const { leases, log } = open()
    const first = await leases.claim('s1', message('one'))
    const second = await leases.claim('s1', message('two'))
    expect([first.isHolder, second.isHolder]).toEqual([true, false])
    expect((await leases.claim('s2', message('other'))).isHolder).toBe(true)
    expect(await leases.isHeld('s1')).toBe(true)
    expect([...(await leases.holders(['s1', 's2', 's3']))]).toEqual([
      ['s1', 'alive'],
      ['s2', 'alive'],
    ])
    const sent = await log.read({ session: 's1' })
    expect(sent).toMatchObject([
      { type: 'message', content: 'one', cursor: first.cursor, id: first.event.id },
      { type: 'message', content: 'two', cursor: second.cursor },
    ])
  })

  it('are not given back while a message waits that the holder has not handled', async () => {
    const { leases } = open()
    const first = await leases.claim('s1', message('one'))
    const second = await leases.claim('s1', message('two'))
    expect(await leases.end('s1', first.cursor)).toBe(false)
    expect(await leases.end('s1', second.cursor)).toBe(true)
    expect(await leases.isHeld('s1')).toBe(false)
    expect((await leases.claim('s1', message('three'))).isHolder).toBe(true)
  })

  it('are not taken over while their process lives, nor where nothing was running', async () => {
    const { leases } = open()
    expect(await leases.takeOver('s1')).toBe(false)
    const { cursor } = await leases.claim('s1', message('one'))
    expect(await leases.takeOver('s1')).toBe(false)
    expect(await leases.end('s1', cursor)).toBe(true)
    expect(await leases.takeOver('s1')).toBe(false)
    expect(await leases.isHeld('s1')).toBe(false)
  })

  it('refuse to delete a session that runs, or one of whose calls does', async () => {
    const { leases, log } = open()
    const { cursor } = await leases.claim('s1', message('one'))
    expect(await leases.delete('s1')).toBe(false)
    await leases.end('s1', cursor)
    for (const body of callEvents({ call: 'c1' }).slice(0, 3)) log.append(body)
    expect(await leases.delete('s1')).toBe(false)
    for (const body of callEvents({ call: 'c1' }).slice(3)) log.append(body)
    expect(await leases.delete('s1')).toBe(true)
  })

  it('delete messages, outputs and the sessions below, and keep a row for each call that had an effect', async () => {
    const { leases, log, ledger, outputs, undo } = open()
    for (const [session, parent] of [['s1'], ['s2', 's1'], ['s3', 's2'], ['s4']] as const)
      log.append({ type: 'session-start', session, workspace: '/w', mode: 'ask', ...(parent && { parent }) })
    for (const session of ['s1', 's3', 's4']) {
      log.append({ type: 'message', session, ...message(`a secret of ${session}`) })
      appendCall(log, { call: `read-${session}`, session })
      const call = `write-${session}`
      for (const body of callEvents({ call, session, tool: 'write_file' }).slice(0, 3)) log.append(body)
      await ledger.begin({ session, call, effect: 'write', idempotent: false })
      undo.keep({ call, workspace: '/w', path: 'a', before: null, after: 'hash' })
      for (const body of callEvents({ call, session, tool: 'write_file' }).slice(3)) log.append(body)
      await outputs.keep(call, 'the full output')
    }
    expect(await leases.delete('s1')).toBe(true)
    expect((await log.sessions()).map(({ session }) => session)).toEqual(['s4'])
    expect(JSON.stringify(await log.read())).not.toContain('a secret of s1')
    expect(JSON.stringify(await log.read())).not.toContain('a secret of s3')
    expect(await log.read({ session: 's3' })).toMatchObject([{ type: 'session-delete' }])
    const calls = (await log.calls()).map(({ call }) => call).sort()
    expect(calls).toEqual(['read-s4', 'write-s1', 'write-s3', 'write-s4'])
    expect(undo.by('write-s3')).toHaveLength(1)
    expect(await log.read({ session: 's4' })).toHaveLength(10)
  })
})
