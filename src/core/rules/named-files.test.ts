import { expect, test } from 'vitest'
import { createNamedCheck } from './named-files.ts'

const checkWith = (files: Readonly<Record<string, string>>) => createNamedCheck((path) => files[path])

test.for<[script: string, text: string, named: readonly string[], ordinary: readonly string[]]>([
  ['.envrc', 'source scripts/env.sh\nPATH_add bin\n', ['scripts/env.sh'], ['env.sh', 'bin/x', 'src/env.sh']],
  ['.envrc', 'use flake\n', ['flake.nix', 'flake.lock'], ['shell.nix', 'docs/flake.nix']],
  ['.envrc', 'use nix\ndotenv\n', ['shell.nix', 'default.nix', '.env'], ['flake.nix', '.env.example']],
  ['.envrc', 'dotenv_if_exists .env.local\nsource_env_if_exists .envrc.local', ['.env', '.env.local'], ['env']],
  [
    '.husky/pre-commit',
    'npx lint-staged && node scripts/check',
    ['scripts/check.mjs', 'scripts/check/index.ts'],
    ['x.js'],
  ],
  ['.git/hooks/pre-push', '#!/bin/sh\n"$(git rev-parse --show-toplevel)/tools/push" "$@"\n', ['tools/push'], ['push']],
  ['.git/hooks/commit-msg', 'exec "$ROOT/tools/message.py" "$1"', ['tools/message.py'], ['message.py']],
  ['.githooks/post-checkout', '. "$(dirname "$0")/../tools/hook.sh"', ['tools/hook.sh'], ['tools/other.sh']],
  [
    '.pre-commit-config.yaml',
    '- repo: local\n  hooks:\n  - {id: a, entry: ./ci/lint.sh}\n',
    ['ci/lint.sh'],
    ['lint.sh'],
  ],
  ['lefthook.yml', 'pre-commit:\n  commands:\n    a:\n      run: python ci/a.py {files}\n', ['ci/a.py'], ['a.py']],
  ['package.json', '{"scripts":{"postinstall":"node setup.js"}}', ['setup.js'], ['t.js']],
  [
    '.husky/pre-commit',
    '# see scripts/old.sh\ngrep package.json README.md docs/a.md',
    [],
    ['scripts/old.sh', 'package.json', 'README.md', 'docs/a.md'],
  ],
])('what %s names with %j runs later', ([script, text, named, ordinary]) => {
  const check = checkWith({ [script]: text })
  for (const path of named) expect([path, check(path)]).toEqual([path, true])
  for (const path of ordinary) expect([path, check(path)]).toEqual([path, false])
})

test('a script in a folder names the files of that folder, and nothing in installed packages', () => {
  const check = checkWith({ 'sub/.envrc': 'source env.sh', '.husky/pre-commit': 'sh node_modules/a/run.sh' })
  expect(check('sub/env.sh')).toBe(true)
  expect(check('env.sh')).toBe(false)
  expect(check('node_modules/a/run.sh')).toBe(false)
})

test('each script is read once', () => {
  const read: string[] = []
  const check = createNamedCheck((path) => {
    read.push(path)
    return undefined
  })
  for (const name of ['a', 'b', 'c']) check(`src/${name}.ts`)
  expect(read.filter((path) => path === 'src/.envrc')).toHaveLength(1)
})
