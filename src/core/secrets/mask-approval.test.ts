import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../approval/approval.ts'
import { maskApproval, restoreMasked } from './mask-approval.ts'

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
    const masked = maskApproval(request, [])
    expect(JSON.stringify(masked)).not.toContain('hunter2')
    expect(masked.grants).toEqual(request.grants.slice(1))
  })
})

describe('restoreMasked', () => {
  const input = { command: `send ${KEY} and ${OTHER}`, list: [{ token: 'hunter2hunter2' }], plain: 'x' }
  it.each([
    ['nothing changed', { command: 'send [masked] and [masked]', list: [{ token: '[masked]' }], plain: 'x' }, input],
    ['text around secrets', { command: 'now send [masked], [masked]' }, { command: `now send ${KEY}, ${OTHER}` }],
    ['a secret replaced', { list: [{ token: 'new' }] }, { list: [{ token: 'new' }] }],
    ['no masks at all', { other: 1, plain: 'y' }, { other: 1, plain: 'y' }],
  ])('puts secrets back: %s', (_, changed, expected) => {
    expect(restoreMasked(changed, input, [])).toEqual({ value: expected })
  })
  it.each([
    ['a mask in a new member', { fresh: '[masked]' }],
    ['a mask more', { command: '[masked] [masked] [masked]' }],
    ['a mask less', { command: 'send [masked]' }],
    ['a mask where no secret was', { plain: '[masked]' }],
    ['a mask that moved to another place of a list', { list: ['x', { token: '[masked]' }] }],
  ])('refuses a mask that no secret belongs to: %s', (_, changed) => {
    expect(restoreMasked(changed, input, [])).toBeUndefined()
  })
})
