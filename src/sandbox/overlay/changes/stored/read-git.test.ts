import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, makeRepository } from '../../../../../test/support/git.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { programs } from '../../../../app/programs/programs.ts'
import { openGit } from './read-git.ts'

test('no setting of a repository starts a program, whatever git would do by itself', () => {
  const folder = temporaryFolder()
  const [repository, mark, bait] = [join(folder, 'repository'), join(folder, 'mark'), join(folder, 'bait')]
  makeRepository(repository, { 'a.txt': 'one\n' })
  writeFileSync(bait, `#!/bin/sh\necho "$0" >> ${mark}\nexit 1\n`)
  chmodSync(bait, 0o755)
  const object = git(repository, 'rev-parse', 'HEAD:a.txt').trim()
  rmSync(join(repository, '.git/objects', object.slice(0, 2), object.slice(2)))
  for (const [key, value] of [
    ...[
      ['core.fsmonitor', bait],
      ['core.sshCommand', bait],
      ['core.pager', bait],
      ['diff.external', bait],
    ],
    ...[
      ['remote.o.url', 'ssh://nowhere/x'],
      ['remote.o.promisor', 'true'],
      ['remote.o.uploadpack', bait],
    ],
    ...[
      ['extensions.partialClone', 'o'],
      ['core.repositoryFormatVersion', '1'],
      ['filter.x.clean', bait],
    ],
  ] as const)
    git(repository, 'config', key, value)
  const read = ['cat-file', 'blob', object]
  expect(() => execFileSync('git', read, { cwd: repository, stdio: 'pipe' })).toThrow()
  expect(existsSync(mark)).toBe(true)
  rmSync(mark)
  const reader = openGit(programs, repository)
  expect(reader.read(['ls-files', '-z'])).toBe('a.txt\0')
  expect(() => reader.read(read)).toThrow()
  expect(() => reader.read(['status'])).not.toThrow()
  expect(existsSync(mark)).toBe(false)
})
