import { expect, test } from 'vitest'
import { drawSession } from '../../core/session/draw-session.ts'
import type { Event } from '../../core/session/event.ts'
import { sessionMarkdown } from './session-markdown.ts'

test('a notice of Haft to the model is not exported as a message of the person', () => {
  const message = { type: 'message', session: 's', role: 'user', at: 0 } as const
  const events: Event[] = [
    { ...message, id: '1', content: 'Read it.' },
    { ...message, id: '2', content: 'You repeat yourself.', isNotice: true },
  ]
  const heads = sessionMarkdown(drawSession(events)).match(/^## .*(?=, )/gm)
  expect(heads).toEqual(['## User', '## Haft to the model'])
})
