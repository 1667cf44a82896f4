import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the tour of npm start runs to its end and shows each room at work', () => {
  const root = join(import.meta.dirname, '../..')
  const shown = execFileSync(process.execPath, ['examples/tour.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  for (const sight of [
    '✓ the tour has begun',
    'call-repaired',
    'it was cut off',
    'did you mean text?',
    'nobody to ask',
    'what ran: {"path":"a.md","text":"hello"',
    'rule "no keys"',
    'INVALID_PATH',
  ]) {
    expect(shown).toContain(sight)
  }
})
