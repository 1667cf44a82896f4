import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/example-host.ts'
import { openTerminal } from '../../support/terminal.ts'

const root = join(import.meta.dirname, '../../..')

test('the tour breaks its lines between words where the terminal ends', async () => {
  const terminal = openTerminal([process.execPath, 'examples/tour.ts'], { cwd: root, columns: 80, rows: 200 })
  const screen = await terminal.waitFor(/try it yourself[\s\S]*exit=0/)
  expect(screen.split('\n').filter((line) => line.trimEnd().length > 80)).toEqual([])
})

test('the tour of npm run tour runs to its end and shows each stage', () => {
  const env = { ...process.env, NO_COLOR: '1' }
  const shown = execFileSync(process.execPath, ['examples/tour.ts'], { cwd: root, encoding: 'utf8', env })
  const sights = [
    'call-repaired   took the arguments out of a Markdown fence; repaired the JSON syntax',
    '✓ Wrote 18 bytes to notes.md',
    'it was cut off',
    'pth: unknown key; did you mean path?',
    'nobody to ask',
    'what ran: {"path":"plan.md","edits":[{"old":"tea","new":"cocoa"}]}',
    '4 plan.md',
    '✗ Blocked by rule no_',
    '✓ never run rm -rf ~',
    'no_secret_reading',
    'try it yourself',
  ]
  for (const sight of sights) expect(shown).toContain(sight)
  expect(shown).not.toContain('do-not-tell')
})

test('the tour leaves nothing behind, even if nobody reads it to its end', () => {
  const scratch = temporaryFolder()
  const ended = spawnSync(
    'bash',
    ['-c', `"$0" examples/tour.ts | head -n 1; exit "\${PIPESTATUS[0]}"`, process.execPath],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: scratch },
    },
  )
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(scratch)).toEqual([])
})
