import { expect, test } from 'vitest'
import type { ApprovalRequest } from '../../core/approval/approval.ts'
import { printable } from '../../core/text/printable.ts'
import type { Look } from '../look.ts'
import { requestRows } from './card-rows.ts'

const look: Look = { paint: (_, text) => printable(text), columns: 80, rows: 24 }

function requestOf(more: Partial<ApprovalRequest>): ApprovalRequest {
  return {
    ...{ approval: 'a_1', call: 'c_1', session: 's_1', tool: 'delete_file', workspace: '/w', digest: 'd' },
    ...{ effects: [], rule: 'ask_deletion', reason: 'it asks', unusual: [], askedBy: ['ask_deletion'], grants: [] },
    arguments: { path: 'a.txt' },
    preview: { kind: 'text', text: 'deletes a.txt' },
    summary: {
      sentence: 'Delete `a.txt`',
      rows: [{ kind: 'deletes', text: '`a.txt`', tone: 'bad' }],
      commands: [],
      canUndo: true,
    },
    ...more,
  } as ApprovalRequest
}

test('a card says once what is deleted, and marks it', () => {
  const rows = requestRows(requestOf({ unusual: ['changes a.txt, which exists'] }), look)
  expect(rows).toEqual(['Delete a.txt', '! Deletes  a.txt', 'Asked by rule ask_deletion: it asks'])
})

test('arguments that the sentence does not hold word for word are shown, and so is a warning that no row shows', () => {
  const given = { arguments: { path: 'a.txt', recursive: true }, unusual: ['deletes /etc/x, outside the workspace'] }
  const rows = requestRows(requestOf(given), look).join('\n')
  expect(rows).toContain('"recursive": true')
  expect(rows).toContain('! deletes /etc/x, outside the workspace')
})

test('a proposed plan is shown once, line by line, and who asks is said in words', () => {
  const plan = '1. Read it.\n2. Write it.'
  const asking = { rule: 'tool approval', reason: 'propose_plan asks a person before a call like this', trace: [] }
  const { summary: _, ...request } = requestOf({ tool: 'propose_plan', arguments: { plan }, ...asking })
  expect(requestRows({ ...request, preview: { kind: 'text', text: plan } }, look)).toEqual([
    'Call propose_plan',
    '  1. Read it.',
    '  2. Write it.',
    'Asked because propose_plan asks a person before a call like this.',
  ])
})
