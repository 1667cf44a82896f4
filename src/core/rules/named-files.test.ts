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
  ['.git/hooks/pre-commit', './check', ['check'], ['tools/check']],
  ['.git/hooks/pre-commit', 'cd tools && ./check', ['tools/check', 'check'], ['tools/checked']],
  ['.git/hooks/pre-commit', 'DIR=ci\n"$DIR"/run.sh\n', ['ci/run.sh'], ['ci/runs.sh']],
  ['.git/hooks/pre-commit', 'python3 -m tools.lint', ['tools/lint.py', 'tools/lint/__main__.py'], ['lint.py']],
  ['.git/hooks/pre-commit', 'make lint', ['Makefile', 'GNUmakefile'], ['sub/Makefile', 'justfile']],
  ['.git/hooks/pre-commit', 'for f in .hooks.d/*; do "$f"; done', ['.hooks.d/a', '.hooks.d/b.sh'], ['hooks.d']],
  ['.git/hooks/pre-commit', 'for f in src/*.ts; do prettier $f; done', [], ['src/a.ts']],
  ['.git/hooks/pre-commit', 'eslint src/ && prettier --check "src/**/*.ts"', [], ['src/a.ts', 'Makefile']],
  ['.envrc', 'PATH_add bin', ['bin/git', 'bin/ls'], ['bin/tool', 'git', 'lib/git']],
  ['.envrc', 'export PATH="$PWD/tools/bin:$PATH"', ['tools/bin/npm'], ['tools/bin/own']],
  ['package.json', '{"lint-staged":{"*.js":"node tools/lint.js"}}', ['tools/lint.js'], ['tools/other.js']],
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

test('what a named script runs in turn is named, from its folder and from that of the project', () => {
  const check = checkWith({
    '.git/hooks/pre-commit': './tools/check.sh',
    'tools/check.sh': '. tools/env.sh\n./inner.sh\nnode ./lint',
    'tools/lint.js': "import './rules.js'",
  })
  for (const path of ['tools/check.sh', 'tools/env.sh', 'tools/inner.sh', 'tools/lint.js', 'tools/rules.js'])
    expect([path, check(path)]).toEqual([path, true])
  expect(check('tools/other.sh')).toBe(false)
})

test('hooks count in the folder that the configuration of the repository names', () => {
  const config = '[core]\n\thooksPath = config/hooks/_\n'
  const check = checkWith({ '.git/config': config, 'config/hooks/pre-commit': 'sh ci/a.sh' })
  expect(check('ci/a.sh')).toBe(true)
  expect(checkWith({ 'config/hooks/pre-commit': 'sh ci/a.sh' })('ci/a.sh')).toBe(false)
})
