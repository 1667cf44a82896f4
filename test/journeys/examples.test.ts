import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('S2.1 S2.3 the example of a tool with preview and cleanup runs as it says', () => {
  const root = join(import.meta.dirname, '../..')
  const shown = execFileSync(process.execPath, ['examples/preview-and-cleanup.ts'], { cwd: root, encoding: 'utf8' })
  expect(shown.split('\n')).toEqual([
    'add_chapter "Middle", and the person would say deny',
    '  app: show-diff book.md',
    '  app: close book.md',
    '  DENIED: Denied by user. add_chapter was not run.',
    'add_chapter "Middle", and the person would say allow',
    '  app: show-diff book.md',
    '  delta: writing the chapter',
    '  app: close book.md',
    '  ok: The book has 22 bytes now.',
    'add_chapter "Middle", and the person would say allow',
    '  app: close book.md',
    '  CONFLICT: The book has a chapter "Middle" already.',
    '  app: show-diff book.md',
    'in the background: a task id at once',
    '  delta: writing the chapter',
    '  app: close book.md',
    '# Beginning',
    '',
    '# Middle',
    '',
    '# End',
    '',
  ])
})
