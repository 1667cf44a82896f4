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
function showCard(
  more: Partial<OpenRequest['request']> = {},
  check: (changed: unknown) => Promise<string | undefined> = async () => undefined,
) {
  const replies: unknown[] = []
  const queue = {
    check: (_: string, changed: unknown) => check(changed),
    async answer(id: string, reply: unknown, seen: unknown) {
      replies.push({ id, reply, seen })
      return { ok: true, runs: 'asker' }
    },
  } as unknown as ApprovalQueue
  const screen = { close: () => undefined, changed: () => undefined, say: () => undefined } as unknown as Screen
  const shown = { ...open, request: { ...open.request, ...more } }
  const card = new Card({ open: shown, queue, screen, edit: undefined, ended: () => undefined })
  return { card, replies }
}

/** Opens the field of the command. */
function openField(card: Card): void {
  card.press('e', key)
  expect(card.draw(look).rows.join('\n')).toContain('command › ls')
}

const enter = { ...key, return: true }

test('changed arguments are approved as the field shows them: while they are checked no key changes or answers anything', async () => {
  const checks = [Promise.withResolvers<string | undefined>()]
  const seen: unknown[] = []
  const { card, replies } = showCard({}, (changed) => {
    seen.push(changed)
    return checks.at(-1)?.promise ?? Promise.resolve(undefined)
  })
  openField(card)
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
  const { card, replies } = showCard({}, async () => 'Blocked by rule x.')
  openField(card)
  card.press('x', key)
  card.press('', enter)
  await expect.poll(() => card.draw(look).rows.join('\n')).toContain('Blocked by rule x.')
  expect(card.draw(look).rows.join('\n')).toContain('command › lsx')
  expect(replies).toEqual([])
})

test('a field that was left unchanged approves nothing: the card says so and takes its keys again', async () => {
  const { card, replies } = showCard()
  openField(card)
  card.press('', enter)
  await expect.poll(() => card.draw(look).rows.join('\n')).toMatch(/Nothing was changed\.(?![\s\S]*command ›)/)
  expect(replies).toEqual([])
  card.press('y', key)
  expect(replies).toMatchObject([{ reply: { approved: true } }])
})

test('y at a card longer than the screen shows what is below, page by page, says how much is left, and approves once all was seen', () => {
  const command = Array.from({ length: 30 }, (_, index) => `echo ${index}`).join('\n')
  const { card, replies } = showCard({ preview: { kind: 'command', text: command } })
  const short = { ...look, rows: 16 }
  const pages: string[] = []
  for (let page = 0; page < 3; page++) {
    pages.push(card.draw(short).rows.join('\n'))
    expect(replies).toEqual([])
    card.press('y', key)
  }
  expect(pages[0]).toContain('32 rows, 20 not seen: y shows the next page')
  expect(pages[1]).toContain('32 rows, 8 not seen: y shows the next page')
  expect(pages[2]).toContain('rows 21-32 of 32')
  for (let index = 0; index < 30; index++) expect(pages.join('\n')).toContain(`echo ${index}`)
  expect(replies).toMatchObject([{ reply: { approved: true } }])
})
