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
function showCard(check: (changed: unknown) => Promise<string | undefined> = async () => undefined) {
  const replies: unknown[] = []
  const queue = {
    check: (_: string, changed: unknown) => check(changed),
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

/** Opens the field of the command, once keys count. */
async function openField(card: Card): Promise<void> {
  await expect
    .poll(() => {
      card.press('e', key)
      return card.draw(look).rows.join('\n')
    })
    .toContain('command › ls')
}

const enter = { ...key, return: true }

test('changed arguments are approved as the field shows them: while they are checked no key changes or answers anything', async () => {
  const checks = [Promise.withResolvers<string | undefined>()]
  const seen: unknown[] = []
  const { card, replies } = showCard((changed) => {
    seen.push(changed)
    return checks.at(-1)?.promise ?? Promise.resolve(undefined)
  })
  await openField(card)
  card.press('x', key)
  card.press('', enter)
  for (const input of ['y', 'e', 'z']) card.press(input, key)
  card.press('', enter)
  card.paste('pasted')
  expect(card.draw(look).rows.join('\n')).toContain('command › lsx')
  expect(replies).toEqual([])
  checks[0]?.resolve(undefined)
  await expect.poll(() => replies).toHaveLength(1)
  expect(seen).toEqual([{ command: 'lsx' }])
  expect(replies).toMatchObject([{ reply: { approved: true, modifiedArgs: { command: 'lsx' } } }])
})

test('arguments that are refused stay in the field with the reason, and nothing is approved', async () => {
  const { card, replies } = showCard(async () => 'Blocked by rule x.')
  await openField(card)
  card.press('x', key)
  card.press('', enter)
  await expect.poll(() => card.draw(look).rows.join('\n')).toContain('Blocked by rule x.')
  expect(card.draw(look).rows.join('\n')).toContain('command › lsx')
  expect(replies).toEqual([])
})
