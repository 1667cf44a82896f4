import { expect, test } from 'vitest'
import type { Reply } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'
import { openRequest } from '../support/open-request.ts'

const NO_YES = [{ approved: 'no' }, { approved: 1 }, {}, true, 'yes', null] as unknown as Reply[]
const NOTE = { path: 'a.txt', text: 'x' }

test.for(NO_YES)('an answer of %j is no yes, from a program', async (decision) => {
  const result = await (await exampleHost()).call('write_note', NOTE, { decision })
  expect(result.ok).toBe(false)
  expect(result.text).not.toContain('wrote')
})

test.for(NO_YES)('an answer of %j is no yes, from whoever is asked', async (reply) => {
  const host = await exampleHost({ approver: { ask: async () => reply } })
  expect(await host.call('write_note', NOTE)).toMatchObject({ ok: false, code: 'DENIED' })
})

test('waiting for an answer with an aborted signal returns at once', async () => {
  const host = await exampleHost({ wait: true })
  const caller = new AbortController()
  const call = host.call('write_note', NOTE, { signal: caller.signal })
  const { request } = await openRequest(host)
  expect(await host.approvals.wait(request.approval, AbortSignal.abort())).toBeUndefined()
  caller.abort()
  expect(await call).toMatchObject({ ok: false, code: 'CANCELLED' })
})
