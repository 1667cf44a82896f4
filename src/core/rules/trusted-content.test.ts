import { expect, test } from 'vitest'
import { listRegistries, runsMore } from './trusted-content.ts'

const json = (value: object) => JSON.stringify(value)
const PLAIN = json({ name: 'a', scripts: { build: 'tsc', test: 'vitest' }, dependencies: { a: '^1.0.0' } })

test.for<[string, string, string | undefined, string]>([
  ['an install script', 'package.json', PLAIN, json({ scripts: { postinstall: 'x' } })],
  ['one in a new file', 'packages/a/package.json', undefined, json({ scripts: { prepare: 'x' } })],
  ['a byte order mark before it', 'package.json', PLAIN, `\uFEFF${json({ scripts: { install: 'x' } })}`],
  ['an escaped name', 'package.json', PLAIN, '{"scripts":{"post\\u0069nstall":"x"}}'],
  ['text that only some installers read', 'package.json', PLAIN, '{"scripts":{"install":"x",}}'],
  [
    'a script that an install script runs',
    'package.json',
    json({ scripts: { prepare: 'npm run build', build: 'tsc' } }),
    json({ scripts: { prepare: 'npm run build', build: 'x' } }),
  ],
  [
    'a script before it',
    'package.json',
    json({ scripts: { prepare: 'npm run build', build: 'tsc' } }),
    json({ scripts: { prepare: 'npm run build', build: 'tsc', prebuild: 'x' } }),
  ],
  [
    'a script that a pattern names',
    'package.json',
    json({ scripts: { prepare: 'run-s build:*' } }),
    json({ scripts: { prepare: 'run-s build:*', 'build:x': 'x' } }),
  ],
  ['an archive of the workspace', 'package.json', PLAIN, json({ dependencies: { a: 'file:a.tgz' } })],
  ['a repository', 'package.json', PLAIN, json({ devDependencies: { a: 'user/repo' } })],
  ['an address', 'package.json', PLAIN, json({ overrides: { b: { a: 'https://a.example/a.tgz' } } })],
  ['a package manager from an address', 'package.json', PLAIN, json({ packageManager: 'yarn@https://a.example/y.js' })],
  ['commands of git hooks', 'package.json', PLAIN, json({ husky: { hooks: { 'pre-commit': 'x' } } })],
  ['a build file of node-gyp', 'binding.gyp', undefined, '{}'],
  ['a setting of pnpm', 'pnpm-workspace.yaml', 'packages:\n  - a\n', 'packages:\n  - a\npnpmfile: x.cjs\n'],
  ['a quoted setting of pnpm', 'pnpm-workspace.yaml', undefined, '"pnpmf\\u0069le": x.cjs\n'],
  ['another registry', 'package-lock.json', undefined, locked('https://a.example/a/-/a-1.0.0.tgz')],
  ['an archive in the lock file', 'package-lock.json', undefined, locked('file:a.tgz')],
  ['a link to an installed package', 'npm-shrinkwrap.json', undefined, locked('node_modules/b', { link: true })],
])('%s makes an install run more', ([, path, before, after]) => expect(runsMore(path, { before, after })).toBe(true))

function locked(resolved: string, more: object = {}): string {
  return json({ lockfileVersion: 3, packages: { '': {}, 'node_modules/a': { version: '1.0.0', resolved, ...more } } })
}

test.for<[string, string, string | undefined, string]>([
  ['npm init -y', 'package.json', undefined, json({ name: 'a', main: 'index.js', scripts: { test: 'echo' } })],
  ['npm install x', 'package.json', PLAIN, json({ dependencies: { a: '^1.0.0', b: '~2.1.0', '@c/d': 'npm:e@1' } })],
  ['a build script', 'package.json', PLAIN, json({ scripts: { build: 'tsc -b', pretest: 'x' } })],
  ['the same install script', 'package.json', json({ scripts: { prepare: 'x' } }), '{"scripts":{"prepare":"x"},"a":1}'],
  ['one less', 'package.json', json({ scripts: { prepare: 'x', install: 'y' } }), json({ scripts: { install: 'y' } })],
  ['an empty file', 'package.json', undefined, ''],
  ['an installed package', 'node_modules/a/package.json', undefined, json({ scripts: { postinstall: 'x' } })],
  ['its build file', 'node_modules/a/binding.gyp', undefined, '{}'],
  ['another file', 'data.json', undefined, json({ scripts: { postinstall: 'x' } })],
  ['the registry', 'package-lock.json', undefined, locked('https://registry.npmjs.org/a/-/a-1.0.0.tgz')],
  ['a package of the workspace', 'package-lock.json', undefined, locked('packages/a', { link: true })],
  ['a known registry', 'package-lock.json', locked('https://a.example/b/-/b.tgz'), locked('https://a.example/a.tgz')],
  ['packages of pnpm', 'pnpm-workspace.yaml', undefined, '# ours\npackages:\n  - "a/*"\ncatalog:\n  a: ^1\n'],
])('%s is ordinary', ([, path, before, after]) => expect(runsMore(path, { before, after })).toBe(false))

test('a registry that the settings of npm name is a known source of a lock file', () => {
  const lock = JSON.stringify({
    packages: { 'node_modules/a': { resolved: 'http://packages.test/a.tgz', version: '1.0.0' } },
  })
  const registries = listRegistries(
    'audit=false\nregistry=http://packages.test/\n@own:registry = "https://own.test/npm/"\n',
  )
  expect(registries).toEqual(['http://packages.test/', 'https://own.test/'])
  expect(runsMore('package-lock.json', { before: undefined, after: lock }, registries)).toBe(false)
  expect(runsMore('package-lock.json', { before: undefined, after: lock }, ['https://own.test/'])).toBe(true)
})
