import { expect, test } from 'vitest'
import type { ModelMessage } from '../../core/ports/model.ts'
import { fitRoles } from './fit-roles.ts'

const HISTORY: readonly ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: '' },
  { role: 'user', content: 'Your reply was empty.' },
  { role: 'assistant', content: '', calls: [{ call: 'c1', name: 'look', arguments: {} }] },
  { role: 'tool', call: 'c1', name: 'look', content: 'dark' },
  { role: 'user', content: 'And?' },
]
const shortOf = (messages: readonly ModelMessage[]) => messages.map(({ role, content }) => `${role}: ${content}`)

test('an empty reply is never sent; everything else stays as it is where the template demands nothing', () => {
  expect(fitRoles(HISTORY, {})).toEqual(HISTORY.filter((_, at) => at !== 2))
})

test('where roles must take turns, messages of one role are joined and a result is followed by the model', () => {
  expect(shortOf(fitRoles(HISTORY, { alternates: true }))).toEqual([
    'system: Be brief.',
    'user: Look.\n\nYour reply was empty.',
    'assistant: ',
    'tool: dark',
    'assistant: I see the results.',
    'user: And?',
  ])
})

test('where there is no system role, its text begins the first message of the user', () => {
  const [first] = fitRoles(HISTORY, { systemRole: false })
  expect(first).toEqual({ role: 'user', content: 'Be brief.\n\nLook.\n\nYour reply was empty.' })
})
