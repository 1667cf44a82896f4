import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

test('S2.5 a command on the workspace itself changes no hook where core.hooksPath leads, and replaces no object', async () => {
  const host = await exampleHost({ home: temporaryFolder() })
  const { workspace } = host
  const git = (...args: string[]) => execFileSync('git', ['-C', workspace, ...args], { encoding: 'utf8' })
  mkdirSync(join(workspace, '.githooks'))
  writeFileSync(join(workspace, '.githooks/pre-commit'), 'known\n')
  git('init', '-q')
  git('config', 'core.hooksPath', '.githooks')
  git('add', '-A')
  const known = git('rev-parse', ':.githooks/pre-commit').trim()
  const code = [
    'echo planted > .githooks/pre-commit; echo planted > .githooks/post-commit; mv .githooks moved',
    `git replace ${known} $(echo planted | git hash-object -w --stdin)`,
    'echo ordinary > ordinary.txt',
  ].join('\n')
  const result = await host.call('run_code', { language: 'bash', code, live: true }, { decision: 'allow' })
  expect(result, result.text).toMatchObject({ ok: true, data: { exitCode: 0 } })
  expect(readFileSync(join(workspace, 'ordinary.txt'), 'utf8')).toBe('ordinary\n')
  expect(readFileSync(join(workspace, '.githooks/pre-commit'), 'utf8')).toBe('known\n')
  for (const path of ['.githooks/post-commit', 'moved', '.git/refs/replace'])
    expect(existsSync(join(workspace, path)), path).toBe(false)
  expect(git('replace', '-l')).toBe('')
})
