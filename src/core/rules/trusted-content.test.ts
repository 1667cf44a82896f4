import { expect, test } from 'vitest'
import { createInstallCheck, listRegistries, runsMore } from './trusted-content.ts'

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
  [
    'an address in yarn.lock',
    'yarn.lock',
    undefined,
    'a@^1:\n  version "1.0.0"\n  resolved "https://a.example/a.tgz#1"\n',
  ],
  [
    'a repository in yarn.lock',
    'yarn.lock',
    '',
    '"a@x":\n  version: 1.0.0\n  resolution: "a@git@a.example:x/y.git#commit=1"\n',
  ],
  ['a program in yarn.lock', 'yarn.lock', '', '"a@x":\n  resolution: "a@exec:./x.js#./x.js::hash=1&locator=b"\n'],
  [
    'a tarball for pnpm',
    'pnpm-lock.yaml',
    '',
    "  a@1.0.0:\n    resolution: {integrity: sha512-x==, tarball: 'https://a.example/a.tgz'}\n",
  ],
  ['a tarball on its own line', 'pnpm-lock.yaml', '', '    resolution:\n      tarball: file:a.tgz\n'],
  ['an escaped key for pnpm', 'pnpm-lock.yaml', '', '    resolution: {"tarb\\u0061ll": "https://a.example/a.tgz"}\n'],
  ['a repository for pnpm', 'pnpm-lock.yaml', '', '    resolution: {type: git, repo: git@a.example:x/y, commit: 1}\n'],
  ['an address for bun', 'bun.lock', '', '{"packages": {"a": ["a@https://a.example/a.tgz", {}, "x"]}}'],
  ['a registry for bun', 'bun.lock', '', '{"packages": {"a": ["a@1.0.0", "https://a.example/a.tgz", {}, "x"]}}'],
  ['a script of composer', 'composer.json', '{}', json({ scripts: { 'post-install-cmd': 'x' } })],
  ['a plugin of composer', 'composer.json', '{}', json({ config: { 'allow-plugins': { 'a/b': true } } })],
  ['a toolchain of rustup', 'rust-toolchain.toml', '[toolchain]\nchannel = "1.80"\n', '[toolchain]\npath = "x"\n'],
  ['an old toolchain file', 'rust-toolchain', '1.80', './x\n'],
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
  [
    'yarn add',
    'yarn.lock',
    '',
    'a@^1:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#1f"\n',
  ],
  ['yarn 4 add', 'yarn.lock', '', '"@b/a@npm:^1":\n  version: 1.0.0\n  resolution: "@b/a@npm:1.0.0"\n  checksum: 1\n'],
  [
    'a workspace of yarn 4',
    'yarn.lock',
    '',
    '"a@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "a@workspace:."\n',
  ],
  [
    'pnpm add',
    'pnpm-lock.yaml',
    '',
    "importers:\n  .:\n    dependencies:\n      a:\n        specifier: ^1\n        version: 1.0.0\n  '@b/a@1.0.0':\n    resolution: {integrity: sha512-x/y+z==}\n    engines: {node: '>=18'}\n",
  ],
  [
    'bun add',
    'bun.lock',
    '',
    '{"lockfileVersion": 1, "packages": {"a": ["a@1.0.0", "", {"bin": "x"}, "sha512-x"], "@b/a": ["@b/a@2.0.0", "", {}, "y"]}}',
  ],
  ['composer require', 'composer.json', '{}', json({ require: { 'a/b': '^1' }, scripts: {} })],
  ['a channel of rustup', 'rust-toolchain.toml', undefined, '[toolchain]\nchannel = "1.80"\ncomponents = ["clippy"]\n'],
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

/** Checks paths beside one package.json. */
const installCheck = (text: string) => createInstallCheck((folder) => (folder === '' ? text : undefined))

test('a file that an install script names runs at an install', () => {
  const check = installCheck(
    json({
      scripts: { postinstall: 'node ./scripts/setup && npm run gen', gen: 'sh tools/gen.sh >x', test: 'node t.js' },
    }),
  )
  for (const path of ['scripts/setup.js', 'scripts/setup.mjs', 'scripts/setup/index.js', 'tools/gen.sh'])
    expect(check(path), path).toBe(true)
  for (const path of ['t.js', 'scripts/other.js', 'gen.sh', 'node/x.js']) expect(check(path), path).toBe(false)
  expect(installCheck(json({ scripts: { test: 'node t.js' } }))('t.js')).toBe(false)
  expect(installCheck('no JSON')('t.js')).toBe(false)
})
