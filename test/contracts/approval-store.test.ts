import { describe, expect, it } from 'vitest'
import { askedCall } from '../support/approval-requests.ts'
import { STORAGES } from '../support/storages.ts'

describe.each(STORAGES)('the approvals of %s', (_, open) => {
  it('are kept until their call has ended, and take one answer', async () => {
    const storage = open()
    const { approvals } = storage
    await askedCall(storage, 'c1')
    expect(await approvals.get('a_c1')).toMatchObject({ input: { path: 'a', key: 'raw' }, answer: null })
    expect((await approvals.list()).map(({ request }) => request.approval)).toEqual(['a_c1'])
    const yes = { reply: { approved: true, modifiedArgs: { path: 'b' } }, by: 'first', at: Date.now() } as const
    const answers = [yes, { reply: { approved: false }, by: 'second', at: Date.now() } as const]
    const given = await Promise.all(answers.map((answer) => approvals.answer('a_c1', answer)))
    expect(given).toMatchObject([
      { event: { type: 'approval-answer', approval: 'a_c1', by: 'first' }, isAdopted: false },
      undefined,
    ])
    expect((await approvals.get('a_c1'))?.answer).toEqual(yes)
    expect(await approvals.adopt('a_c1')).toBe(false)
    await approvals.settle('a_c1')
    expect(await approvals.get('a_c1')).toBeUndefined()
    expect(await approvals.list()).toEqual([])
  })

  it('put the answer into the log with it, once', async () => {
    const storage = open()
    await askedCall(storage, 'c1')
    const before = await storage.log.end()
    const answer = { reply: { approved: true }, by: 'me', at: Date.now() } as const
    await Promise.all([storage.approvals.answer('a_c1', answer), storage.approvals.answer('a_c1', answer)])
    const events = await storage.log.read({ after: before })
    expect(events).toMatchObject([{ type: 'approval-answer', session: 's1', call: 'c1', reply: { approved: true } }])
  })

  it('accept no answer to an unknown request, and after expiry only the answer that nobody answered', async () => {
    const storage = open()
    await askedCall(storage, 'c1', Date.now() - 1)
    const answer = { reply: { approved: true }, by: 'late', at: Date.now() } as const
    expect(await storage.approvals.answer('a_nothing', answer)).toBeUndefined()
    expect(await storage.approvals.answer('a_c1', answer)).toBeUndefined()
    const expiry = { ...answer, reply: { approved: false }, by: 'expiry' } as const
    expect(await storage.approvals.answer('a_c1', expiry)).toMatchObject({ event: { by: 'expiry' } })
  })
})
