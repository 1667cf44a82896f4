import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../approval/approval.ts'
import { maskApproval, restoreMasked } from './mask-approval.ts'
import { createMasker } from './masker.ts'

const masker = createMasker()
const { maskOf } = masker

const KEY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
const OTHER = 'sk-abcdefghijklmnopqrstuvwxyz0123456789AB'

describe('maskApproval', () => {
  it('masks a secret of the arguments wherever the question repeats it, and offers no grant that holds it', () => {
    const request: ApprovalRequest = {
      approval: 'a',
      call: 'c',
      session: 's',
      tool: 'shell',
      workspace: '/w',
      arguments: { command: 'deploy --token hunter2hunter2' },
      effects: ['runs deploy --token hunter2hunter2'],
      rule: 'r',
      reason: 'it runs hunter2hunter2',
      preview: { kind: 'command', text: 'deploy --token hunter2hunter2' },
      unusual: ['reads hunter2hunter2, outside the workspace'],
      askedBy: [],
      grants: [
        { scope: { kind: 'prefix', prefixes: [['deploy', '--token', 'hunter2hunter2']], hosts: [] }, text: 'deploy' },
        { scope: { kind: 'exact', digest: 'd' }, text: 'exactly this call' },
      ],
      digest: 'd',
    }
    const masked = maskApproval(request, masker)
    expect(JSON.stringify(masked)).not.toContain('hunter2')
    expect(masked.grants).toEqual(request.grants.slice(1))
  })
})

describe('restoreMasked', () => {
  const input = { command: `send ${KEY} and ${OTHER}`, list: [{ token: 'hunter2hunter2' }], plain: 'x' }
  const [key, other, password] = [maskOf(KEY), maskOf(OTHER), maskOf('hunter2hunter2')]
  it.each([
    ['nothing changed', { command: `send ${key} and ${other}`, list: [{ token: password }], plain: 'x' }, input],
    ['text around secrets', { command: `now send ${key}, ${other}` }, { command: `now send ${KEY}, ${OTHER}` }],
    ['secrets in another order', { command: `${other} ${key}` }, { command: `${OTHER} ${KEY}` }],
    ['a secret replaced', { list: [{ token: 'new' }] }, { list: [{ token: 'new' }] }],
    ['no masks at all', { other: 1, plain: 'y' }, { other: 1, plain: 'y' }],
    ['what only looks like a mask', { plain: '[masked]' }, { plain: '[masked]' }],
  ])('puts secrets back: %s', (_, changed, expected) => {
    expect(restoreMasked(changed, input, masker)).toEqual({ value: expected })
  })
  it.each([
    ['a mask in a new member', { fresh: key }],
    ['a mask more', { command: `${key} ${other} ${key}` }],
    ['a mask less', { command: `send ${key}` }],
    ['a mask where no secret was', { plain: key }],
    ['the mask of another member', { command: `send ${password} and ${key}` }],
    ['a mask that moved to another place of a list', { list: ['x', { token: password }] }],
  ])('refuses a mask that no secret belongs to: %s', (_, changed) => {
    expect(restoreMasked(changed, input, masker)).toBeUndefined()
  })
})
