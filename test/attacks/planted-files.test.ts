import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHost, type Host } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'
import { describeTree } from '../support/trees.ts'

/** A workspace with a repository, a folder of hooks, and a package whose install script runs a file. */
function fill(workspace: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', workspace, ...args], { stdio: 'pipe' })
  const write = (path: string, text: string) => writeFileSync(join(workspace, path), text)
  for (const folder of ['sub', 'scripts', '.githooks']) mkdirSync(join(workspace, folder))
  git('init', '-q', '-b', 'main')
  git('config', 'core.hooksPath', '.githooks')
  git('config', 'extensions.worktreeConfig', 'true')
  write('.githooks/pre-push', '#!/bin/sh\n')
  write('.git/hooks/pre-rebase', '#!/bin/sh\n')
  write('payload', '#!/bin/sh\ntrue\n')
  write('scripts/setup.js', '1\n')
  write(
    'package.json',
    '{"name":"a","version":"1.0.0","scripts":{"postinstall":"node ./scripts/setup","test":"node t"}}',
  )
}

const bare = (folder: string) =>
  `mkdir -p '${folder}'/objects '${folder}'/refs; echo ref: refs/heads/x > '${folder}'/HEAD; printf '[core]\\nfsmonitor = ./payload\\n' > '${folder}'/config`

/** Repositories in every form, and parts of the one that is there. */
const REPOSITORIES: readonly (readonly [string, string])[] = [
  ['a bare repository in a new folder', bare('docs/deep')],
  ['one in the root', bare('.')],
  ['.GIT', bare('sub/.GIT')],
  ['.git with a space after it', bare('sub/.git ')],
  ['.git with dots after it', bare('sub/.git..')],
  ['its short name', bare('sub/GIT~1')],
  ['.git with a character that is not seen', bare('sub/.g\u200cit')],
  ['a file that leads to a repository', `${bare('.x')}; echo 'gitdir: ../.x' > sub/.git`],
  ['a link that leads to one', `${bare('.x')}; ln -s ../.x sub/.git`],
  [
    'a folder with a common folder',
    `${bare('data')}; mkdir w; echo ref: refs/heads/x > w/HEAD; echo ../data > w/commondir`,
  ],
  ['a repository that is moved into place', `${bare('t/a')}; mv t/a sub/a`],
  [
    'a work tree with another common folder',
    'mkdir -p .git/worktrees/w; echo ref: refs/heads/x > .git/worktrees/w/HEAD; echo ../../../x > .git/worktrees/w/commondir',
  ],
  ['a work tree that leads out', 'mkdir -p .git/worktrees/w; echo /tmp/x/.git > .git/worktrees/w/gitdir'],
  ['a submodule', 'mkdir -p .git/modules/m; printf "[core]\\nfsmonitor = ./payload\\n" > .git/modules/m/config'],
  ['objects of another place', 'mkdir -p .git/objects/info; echo /etc > .git/objects/info/alternates'],
  ['objects through a link', 'ln -s /etc .git/objects/zz'],
  ['attributes', 'echo "* filter=x" > .git/info/attributes'],
  ['another .git', 'mv .git old; git init -q; git config core.fsmonitor ./payload'],
  ['no .git', 'rm -rf .git'],
  ['a hook', 'cp payload .git/hooks/pre-commit'],
  ['a hook removed', 'rm .git/hooks/pre-rebase'],
  ['a hook that becomes a link', 'ln -sf ../../payload .git/hooks/pre-rebase'],
  ['a hard link of a hook', 'ln payload .git/hooks/post-commit'],
  ['a linked folder of hooks', 'rm -r .git/hooks; ln -s ../sub .git/hooks'],
  ['a hook where core.hooksPath leads', 'cp payload .githooks/pre-commit'],
  ['a link there', 'ln -s ../payload .githooks/post-merge'],
  ['the folder of hooks replaced', 'rm -r .githooks; mkdir sub/h; cp payload sub/h/pre-commit; ln -s sub/h .githooks'],
  [
    'a rebase that runs something',
    'mkdir -p .git/rebase-merge; echo "exec ./payload" > .git/rebase-merge/git-rebase-todo',
  ],
  [
    'a cherry-pick with a strategy',
    'mkdir -p .git/sequencer; printf "[options]\\nstrategy = x\\n" > .git/sequencer/opts',
  ],
  ['a template', 'git config init.templateDir "$PWD/sub"'],
  ['a configuration of the work tree', 'git config --worktree core.fsmonitor ./payload'],
]

/** Settings of git that name a program, another configuration or another place. */
const SETTINGS = [
  ...['core.sshCommand', 'core.askPass', 'core.gitProxy', 'core.alternateRefsCommand', 'core.excludesFile'],
  ...[
    'include.path',
    'includeIf.gitdir:/.path',
    'url.ext::sh.insteadOf',
    'remote.origin.vcs',
    'remote.origin.uploadpack',
  ],
  ...['remote.origin.receivepack', 'protocol.ext.allow', 'submodule.x.update', 'trailer.x.command', 'trailer.x.cmd'],
  ...[
    'interactive.diffFilter',
    'browser.x.cmd',
    'man.x.cmd',
    'uploadpack.packObjectsHook',
    'difftool.x.cmd',
    'diff.x.textconv',
  ],
  ...[
    'diff.x.command',
    'merge.x.driver',
    'mergetool.x.cmd',
    'gpg.ssh.program',
    'credential.https://x.helper',
    'pager.log',
  ],
  ...[
    'filter.lfs.process',
    'sendemail.smtpserver',
    'instaweb.httpd',
    'core.worktree',
    'core.attributesFile',
    'guitool.x.cmd',
  ],
  ...['http.proxy', 'http.sslVerify', 'http.cookieFile', 'safe.directory', 'tar.x.command', 'receive.procReceiveRefs'],
] as const

/** Files that other programs execute or trust. */
const TRUSTED = [
  ...[
    '.vscode/tasks.json',
    'sub/.VSCode/settings.json',
    '.vscode./tasks.json',
    '.v\u017fcode/tasks.json',
    '.idea/runConfigurations/x.xml',
  ],
  ...[
    '.helix/languages.toml',
    '.vim/coc-settings.json',
    '.nvim.lua',
    '_exrc',
    '.dir-locals-2.el',
    '.nova/Tasks/x.json',
  ],
  ...['.envrc', '.direnv/x.rc', '.autoenv.zsh', '.tool-versions', '.config/mise.toml', '.flox/env/manifest.toml'],
  ...['.npmrc', '.yarnrc.yml', '.yarn/sdks/typescript/bin/tsc', '.pnpmfile.cjs', '.bowerrc', 'NuGet.Config', 'uv.toml'],
  ...[
    '.cargo/config.toml',
    '.bundle/config',
    '.mvn/jvm.config',
    '.jvmopts',
    'gradle/wrapper/gradle-wrapper.jar',
    '.swiftpm/configuration/mirrors.json',
  ],
  ...['.bazelrc', '.bazelversion', 'tools/bazel', '.buckconfig', '.gitattributes', 'sub/.gitmodules', '.lfsconfig'],
  ...['.pre-commit-config.yaml', 'lefthook-local.toml', '.lefthook.json', '.config/hk.pkl', 'prek.toml', '.husky/_/x'],
  ...[
    '.hg/hgrc',
    'sub/.hg/sharedpath',
    '.sl/config',
    '_darcs/prefs/defaults',
    '.jj/repo/config.toml',
    '.bzr/branch/branch.conf',
  ],
  ...[
    '.mcp.json',
    '.claude/settings.local.json',
    '.cursor/mcp.json',
    'opencode.jsonc',
    'crush.json',
    '.openhands/setup.sh',
  ],
  ...['.gdbinit', '.lldbinit', '.rdbgrc', '.pdbrc', '.irbrc', 'irb.rc', '.pryrc', '.Rprofile', '.Renviron', '.iex.exs'],
  ...[
    '.ocamlinit',
    '.ghci',
    '.user.ini',
    'sitecustomize.py',
    'jupyter_server_config.py',
    '.devcontainer/devcontainer.json',
  ],
  ...['.github/workflows/x.yml', '.github/hooks/x.json', '.gitlab-ci.yml', '.gitlab/ci/x.yml', '.circleci/config.yml'],
  ...['Jenkinsfile', '.teamcity/settings.kts', 'buildspec.yml', '.gitpod.yml', '.idx/dev.nix', '.replit', '.envrc '],
  ...['.haft/settings.toml', 'sub/.HAFT/rules.toml'],
] as const

/** Ways to bring a file into place; one after the other for the places above. */
const WAYS = [
  (path: string) => `cp payload '${path}'`,
  (path: string) => `ln -s "$PWD/payload" '${path}'`,
  (path: string) => `ln payload '${path}'`,
  (path: string) => `cp payload '${path}.new'; mv '${path}.new' '${path}'`,
] as const

/** Files that are trusted by what they hold, or because another file names them. */
const CONTENTS: readonly (readonly [string, string])[] = [
  ['an install script', 'npm pkg set scripts.prepare=./payload'],
  ['the file that an install script runs', 'echo 2 > scripts/setup.js'],
  ['a folder in its place', 'rm scripts/setup.js; mkdir scripts/setup; echo 2 > scripts/setup/index.js'],
  ['another kind of file for it', 'echo 2 > scripts/setup.cjs'],
  [
    'a source in yarn.lock',
    'printf "a@1:\\n  version \\"1.0.0\\"\\n  resolved \\"https://evil.example/a.tgz\\"\\n" > yarn.lock',
  ],
  ['a program in yarn.lock', 'printf "a@x:\\n  resolution: \\"a@exec:./payload\\"\\n" > yarn.lock'],
  [
    'a source in pnpm-lock.yaml',
    'printf "packages:\\n  a@1:\\n    resolution: {tarball: https://evil.example/a.tgz}\\n" > pnpm-lock.yaml',
  ],
  ['a source in bun.lock', 'echo \'{"packages":{"a":["a@github:x/y#1",{},"h"]}}\' > bun.lock'],
  [
    'a source in package-lock.json',
    'echo \'{"packages":{"node_modules/a":{"resolved":"https://evil.example/a.tgz"}}}\' > package-lock.json',
  ],
  ['scripts of Composer', 'echo \'{"scripts":{"post-autoload-dump":"./payload"}}\' > composer.json'],
  ['a toolchain of rustup', 'printf "[toolchain]\\npath = \\"sub\\"\\n" > rust-toolchain.toml'],
  ['a build file of node-gyp', 'echo {} > binding.gyp'],
]

const ATTACKS: readonly (readonly [string, string])[] = [
  ...REPOSITORIES,
  ...SETTINGS.map((key) => [`the setting ${key}`, `git config '${key}' "$PWD/payload"`] as const),
  ...TRUSTED.map((path, index) => {
    const bring = WAYS[index % WAYS.length] ?? WAYS[0]
    return [path, `mkdir -p "$(dirname '${path}')"; ${bring(path)}`] as const
  }),
  ...CONTENTS,
]

describe('S2.5 what a command plants is not applied without a question', () => {
  let host: Host
  let before: unknown
  beforeAll(async () => {
    const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'haft-planted-')))
    host = await createHost({ workspace: folder(), home: folder() })
    fill(host.workspace)
    before = describeTree(host.workspace)
  })
  afterAll(() => host.close())

  test.for(ATTACKS)('%s', async ([, code]) => {
    const result = await host.call('run_code', { language: 'bash', code: `${code}\necho planted` })
    expect(result, result.text).toMatchObject({ ok: false })
    expect(['DENIED', 'BLOCKED']).toContain(result.ok ? '' : result.code)
    expect(describeTree(host.workspace)).toEqual(before)
  })
})

test('ordinary files of a project are applied without a question, and without bits that change whose rights they run with', async () => {
  const host = await exampleHost({ home: temporaryFolder() })
  fill(host.workspace)
  const names =
    'Makefile conftest.py build.rs justfile Dockerfile tools/build.sh gradle/libs.versions.toml .editorconfig .gitignore .prettierrc t.js scripts/other.js'
  const lock =
    'printf "a@1:\\n  version \\"1.0.0\\"\\n  resolved \\"https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#1\\"\\n" > yarn.lock'
  const code = `mkdir -p tools gradle; for name in ${names}; do echo x > $name; done; ${lock}
npm pkg set scripts.build=tsc dependencies.a=^1; git config user.email a@b.c; git checkout -q -b dev; chmod 6755 tools/build.sh; mkdir -m 1777 shared`
  // Hidden, since the rules refuse such bits where they can read them.
  const hidden = `import base64, subprocess\nsubprocess.run(["bash", "-ec", base64.b64decode("${Buffer.from(code).toString('base64')}")], check=True)`
  const result = await host.call('run_code', { language: 'python', code: hidden })
  expect(result, result.text).toMatchObject({ ok: true, data: { exitCode: 0 } })
  for (const path of ['tools/build.sh', 'shared'])
    expect(lstatSync(join(host.workspace, path)).mode & 0o7000, path).toBe(0)
  await host.close()
})

test.for([
  ['.vscode', 'tools/vscode', 'tools/vscode/tasks.json'],
  ['.envrc', 'tools/env', 'tools/env'],
  ['shared/.cursor', 'cursor', 'shared/cursor/rules/a.md'],
] as const)('what %s leads to as a link (%s) is trusted as it is itself', async ([link, target, path]) => {
  const host = await exampleHost({ home: temporaryFolder() })
  const at = (name: string) => join(host.workspace, name)
  for (const folder of ['tools/vscode', 'shared/cursor/rules']) mkdirSync(at(folder), { recursive: true })
  symlinkSync(target, at(link))
  const before = describeTree(host.workspace)
  const planted = await host.call('run_code', { language: 'bash', code: `echo payload > ${path}` })
  expect(planted, planted.text).toMatchObject({ ok: false, code: 'DENIED' })
  expect(describeTree(host.workspace)).toEqual(before)
  const ordinary = await host.call('run_code', { language: 'bash', code: 'echo x > tools/other; echo x > shared/x' })
  expect(ordinary, ordinary.text).toMatchObject({ ok: true })
})
