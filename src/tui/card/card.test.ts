import type { Key } from 'ink'
import { expect, test } from 'vitest'
import type { ApprovalQueue, OpenRequest } from '../../core/approval/approval-queue.ts'
import { printable } from '../../core/text/printable.ts'
import type { Screen } from '../layers/layer.ts'
import type { Look } from '../look.ts'
import { Card } from './card.ts'

const look: Look = { paint: (_, text) => printable(text), columns: 80, rows: 24 }
const key = {} as Key
const open = {
  request: {
    ...{ approval: 'a_1', call: 'c_1', session: 's_1', tool: 'shell', workspace: '/w', digest: 'd' },
    ...{ arguments: { command: 'ls' }, effects: [], rule: 'r', reason: 'why', unusual: [], askedBy: ['r'], grants: [] },
  },
  ...{ askedAt: 0, expiresAt: 1, answer: null },
} as OpenRequest

/** A card on a screen that shows nothing, and the replies that were given. */
function showCard(): { card: Card; replies: unknown[] } {
  const replies: unknown[] = []
  const queue = {
    async answer(id: string, reply: unknown, seen: unknown) {
      replies.push({ id, reply, seen })
      return { ok: true, runs: 'asker' }
    },
  } as unknown as ApprovalQueue
  const screen = { close: () => undefined, changed: () => undefined, say: () => undefined } as unknown as Screen
  const card = new Card({ open, queue, screen, edit: undefined, ended: () => undefined })
  card.draw(look)
  return { card, replies }
}

test('a key that is pressed when the card has just appeared does not answer it; later ones do', async () => {
  const { card, replies } = showCard()
  for (const input of ['y', 'n', 'y']) card.press(input, key)
  card.press('', { ...key, escape: true })
  expect(replies).toEqual([])
  await expect
    .poll(() => {
      card.press('y', key)
      return replies
    })
    .toEqual([{ id: 'a_1', reply: { approved: true }, seen: { by: 'terminal', digest: 'd' } }])
})
