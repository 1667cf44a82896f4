import type { Key } from 'ink'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ApprovalQueue, OpenRequest } from '../core/approval/approval-queue.ts'
import { printable } from '../core/text/printable.ts'
import { Card } from './card/card.ts'
import { Picker } from './layers/picker.ts'
import { Question } from './layers/question.ts'
import type { History } from './prompt/history.ts'
import { Prompt } from './prompt/prompt.ts'
import { ScreenState } from './screen-state.ts'

const key = {} as Key
const enter = { ...key, return: true }
const TYPED = 'which is why my copy is okay'

/** A screen with a message field, drawn whenever it changes, whose clock stands still. */
function openScreen() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sent: string[] = []
  const screen: ScreenState = new ScreenState({
    ...{ paint: (_, text) => printable(text), isUtf8: true, size: () => ({ columns: 80, rows: 24 }) },
    ...{ base: () => prompt, live: () => [], status: () => 'status' },
  })
  const prompt = new Prompt({
    ...{ screen, edit: undefined, history: { add: () => undefined } as unknown as History },
    names: { commands: () => [], files: async () => [] },
    submit: (text) => void sent.push(text),
  })
  screen.subscribe(() => screen.draw())
  const type = async (text: string, gap: number) => {
    for (const letter of text) {
      screen.press(letter, key)
      await vi.advanceTimersByTimeAsync(gap)
    }
  }
  return { screen, sent, type, shown: () => screen.draw().rows.join('\n') }
}

/** Shows a card for an approval, and returns the replies that are given. */
async function showCard(screen: ScreenState) {
  const request = {
    ...{ approval: 'a_1', call: 'c_1', session: 's_1', tool: 'shell', workspace: '/w', digest: 'd', grants: [] },
    ...{ arguments: { command: 'ls' }, effects: [], rule: 'r', reason: 'why', unusual: [], askedBy: ['r'] },
  }
  const open = { request, askedAt: 0, expiresAt: 1, answer: null } as OpenRequest
  const replies: unknown[] = []
  const queue = {
    async answer(_: string, reply: unknown) {
      replies.push(reply)
      return { ok: true, runs: 'asker' }
    },
  } as unknown as ApprovalQueue
  screen.open(new Card({ open, queue, screen, edit: undefined, ended: () => undefined }))
  await vi.advanceTimersByTimeAsync(0)
  return replies
}

test.for([60, 300, 650])(
  'a person who types a key every %i ms answers no card: all of it is in the message, and y counts after a pause',
  async (gap) => {
    const { screen, type, shown } = openScreen()
    await type('well, ', gap)
    const replies = await showCard(screen)
    await type(TYPED, gap)
    expect(replies).toEqual([])
    expect(shown()).toContain('Takes keys once you stop typing; until then they go to your message.')
    expect(shown()).toContain(`> well, ${TYPED}`)
    await vi.advanceTimersByTimeAsync(700)
    expect(shown()).toMatch(/\[y\]es {2}\[n\]o/)
    screen.press('y', key)
    expect(replies).toEqual([{ approved: true }])
    expect(shown()).toContain(`> well, ${TYPED}`)
  },
)

test('keys that a busy process reads only when the pause is over are keys before it', async () => {
  const { screen, shown } = openScreen()
  const replies = await showCard(screen)
  // The time has passed, and now the terminal is read.
  vi.advanceTimersToNextTimer()
  screen.press('y', key)
  await vi.advanceTimersByTimeAsync(0)
  expect(replies).toEqual([])
  expect(shown()).toContain('> y')
})

test('a letter that is no answer begins a word: the letters after it go to the message too', async () => {
  const { screen, type, shown } = openScreen()
  const replies = await showCard(screen)
  await vi.advanceTimersByTimeAsync(700)
  await type('why', 60)
  expect(replies).toEqual([])
  expect(shown()).toContain('> why')
})

test('a paste never answers a card, marked or not: it goes to the message', async () => {
  const { screen, shown } = openScreen()
  const replies = await showCard(screen)
  await vi.advanceTimersByTimeAsync(700)
  screen.paste('y')
  await vi.advanceTimersByTimeAsync(700)
  screen.press('yes', key)
  await vi.advanceTimersByTimeAsync(700)
  screen.pressedAtOnce()
  screen.press('y', key)
  screen.press('', enter)
  expect(replies).toEqual([])
  expect(shown()).not.toContain('> y')
})

test('Enter before the pause sends the message that is being written, and answers nothing', async () => {
  const { screen, sent, type } = openScreen()
  const replies = await showCard(screen)
  await type('stop that', 60)
  screen.press('', enter)
  expect(sent).toEqual(['stop that'])
  expect(replies).toEqual([])
})

test('a question takes neither letters nor Enter before the pause; then it does', async () => {
  const { screen, type, shown } = openScreen()
  const answers: string[] = []
  const question = { question: 'Which drink?', options: ['tea', 'coffee'] }
  screen.open(new Question({ question, screen, answer: (text) => void answers.push(text), later: () => undefined }))
  await type('what is 2 this', 60)
  expect(answers).toEqual([])
  expect(shown()).toContain('> what is 2 this')
  await vi.advanceTimersByTimeAsync(700)
  await type('2', 60)
  screen.press('', enter)
  expect(answers).toEqual(['coffee'])
})

test('a card that appears over a list leaves the keys to the list until the pause', async () => {
  const { screen, type } = openScreen()
  const chosen: string[] = []
  const choices = ['yes', 'no'].map((text) => ({ id: text, text }))
  screen.open(new Picker({ title: 'List', choices, chosen: (id) => void chosen.push(id), closed: () => undefined }))
  await type('y', 60)
  const replies = await showCard(screen)
  await type('es', 60)
  screen.press('', enter)
  expect(chosen).toEqual(['yes'])
  expect(replies).toEqual([])
})
