import { expect, test } from 'vitest'
import { markAsked } from '../../../web/src/approval/asked-parts.ts'

test('the part of a command line that a rule asks about is marked, as the default rules word their reasons', () => {
  const commands = ['rm -rf build', 'git status'].map((text) => ({ text, isExact: true }))
  const reason = 'build exists and would be deleted'
  const trace = [{ rule: 'ask_existing_deletion', layer: 'defaults' as const, decision: 'ask' as const, reason }]
  const asked = markAsked('rm -rf build && git status', commands, trace).filter(({ isAsked }) => isAsked)
  expect(asked.map(({ text }) => text)).toEqual(['rm -rf build'])
})
