import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

/** Files that git, a shell with direnv, npm, pre-commit or an editor runs or trusts; `.git` is that of the workspace. */
const FILES = [
  ...['.git/hooks/pre-commit', '.git/hooks/post-checkout', '.git/hooks/post-index-change', '.git/hooks/commit-msg'],
  ...['.git/hooks/prepare-commit-msg', '.git/hooks/post-commit', '.git/hooks/reference-transaction'],
  ...['.githooks/pre-commit', '.githooks/post-checkout', 'tools/hook.sh', 'shared.gitconfig'],
  ...['.git/info/attributes', '.git/info/grafts', '.git/commondir', '.git/gitdir', '.git/config.worktree'],
  ...['.git/modules/a/config', '.git/modules/a/hooks/pre-commit', '.git/worktrees/w/config.worktree'],
  ...['.git/rebase-merge/git-rebase-todo', '.git/sequencer/opts', '.git/branches/origin', '.git/remotes/origin'],
  ...['.gitattributes', 'sub/.gitattributes', '.gitmodules', '.envrc', 'sub/.envrc', '.tool-versions', 'mise.toml'],
  ...['.npmrc', 'sub/.npmrc', '.yarnrc.yml', '.yarn/releases/yarn.cjs', '.pnpmfile.cjs', '.husky/pre-commit'],
  ...['.pre-commit-config.yaml', 'lefthook.yml', '.lintstagedrc', '.vscode/tasks.json', '.vscode/settings.json'],
  ...['.idea/workspace.xml', '.exrc', '.vimrc', '.nvim.lua', '.dir-locals.el', 'a.code-workspace', '.zed/tasks.json'],
  ...['.devcontainer/devcontainer.json', '.cargo/config.toml', '.mcp.json', '.claude/settings.json', '.pdbrc'],
  ...['sub/.git', 'sub/HEAD', 'bare/config', '.haft/settings.toml'],
  ...['AGENTS.md', 'CLAUDE.md', '.cursorrules', '.envrc.local', 'mise.dev.toml', 'lint-staged.config.mjs'],
  ...['commitlint.config.js', '.run/a.run.xml', '.lazy.lua', 'a.sublime-project', 'rust-analyzer.toml'],
  // Named by .envrc and by a hook of the workspace.
  ...['tools/env.sh', '.env', 'tools/check.sh'],
  ...['package.json', 'sub/package.json', 'binding.gyp', 'package-lock.json', 'pnpm-workspace.yaml'],
] as const

/** Settings of git that name a program. */
const KEYS = [
  ...['core.fsmonitor', 'core.hooksPath', 'core.editor', 'core.pager', 'core.sshCommand', 'core.attributesFile'],
  ...['core.worktree', 'filter.x.clean', 'filter.x.smudge', 'diff.external', 'alias.status', 'include.path'],
  ...['credential.helper', 'gpg.program', 'commit.template', 'sequence.editor', 'merge.x.driver', 'init.templateDir'],
] as const

const ALL = FILES.length + KEYS.length

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

interface Step {
  readonly place: string
  readonly way: string
}

const FILE_WAYS = ['write', 'append', 'move', 'link', 'hard', 'copy', 'folder'] as const
const KEY_WAYS = ['config', 'config in a new repository'] as const
const REST: readonly Step[] = [
  ...['root', 'sub', 'docs/deep'].map((way) => ({ place: 'a bare repository', way })),
  { place: 'a commit on dev', way: 'commit' },
]

/** Ways to bring a payload to one place of the list. */
const stepAt = (place: string): fc.Arbitrary<Step> =>
  fc
    .constantFrom(...((KEYS as readonly string[]).includes(place) ? KEY_WAYS : FILE_WAYS))
    .map((way) => ({ place, way }))

const PLACES = [...FILES, ...KEYS]

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PLACES).chain(stepAt) },
  { weight: 1, arbitrary: fc.constantFrom(...REST) },
)

/** Returns commands that make the file `p`, whose content runs `payload`, the path of a program that leaves a canary, from this place. */
function makePayload(place: string): string {
  const config = '[core]\\n\\tfsmonitor = %s\\n\\thooksPath = %s\\n'
  if (/config(\.worktree)?$/.test(place))
    return `printf '${config}' "$PWD/payload" "$PWD/h" > p; mkdir -p h; cp payload h/post-checkout`
  const program = `{"name":"b","version":"1.0.0","scripts":{"postinstall":"%s"}}`
  if (place.endsWith('package.json')) return `printf '${program}' "$PWD/payload" > p`
  const targets = `{"targets":[{"target_name":"x","type":"none","variables":{"y":"<!(%s)"}}]}`
  if (place === 'binding.gyp') return `printf '${targets}' "$PWD/payload" > p`
  if (place === 'sub/.git')
    return `git init -q --bare .x; git -C .x config core.fsmonitor "$PWD/payload"; echo 'gitdir: ../.x' > p`
  return 'cp payload p'
}

/** Returns the commands of one step. */
function commandsOf({ place, way }: Step): string {
  const at = quote(place)
  const folder = `${makePayload(place)}; mkdir -p "$(dirname ${at})"`
  if (way === 'write') return `${folder}; cp p ${at}`
  if (way === 'append') return `${folder}; cat p >> ${at}; chmod +x ${at}`
  if (way === 'move') return `${folder}; mv -f p ${at}`
  if (way === 'link') return `${folder}; ln -sf "$PWD/p" ${at}`
  if (way === 'hard') return `${folder}; ln -f p ${at}`
  if (way === 'copy') return `${folder}; cat p > ${at}.new; chmod +x ${at}.new; mv ${at}.new ${at}`
  if (way === 'folder')
    return `${makePayload(place)}; mkdir -p t/"$(dirname ${at})"; cp p t/${at}; cp -r t/. .; rm -r t`
  if (way === 'config') return `git config ${at} "$PWD/payload"`
  if (way === 'config in a new repository') return `git init -q new; git -C new config ${at} "$PWD/payload"`
  if (way === 'commit')
    return 'hook=$(git hash-object -w payload); tree=$(printf "100755 blob $hook\\tpost-checkout\\n" | git mktree); tree=$(printf "040000 tree $tree\\t.githooks\\n" | git mktree); git update-ref refs/heads/dev $(git commit-tree -p dev -m x $tree)'
  const root = way === 'root' ? '.' : way
  return `mkdir -p ${root}/objects ${root}/refs; echo 'ref: refs/heads/x' > ${root}/HEAD; git config -f ${root}/config core.fsmonitor "$PWD/payload"; git config -f ${root}/config core.worktree "$PWD"; [ ${root} = . ] && rm -f .git/HEAD`
}

/** A workspace with a repository that has the branches main and dev, a folder of hooks of its own or the usual one, and an included configuration. */
function fill(workspace: string, { canary, hasOwnHooks }: { canary: string; hasOwnHooks: boolean }): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', workspace, ...args], { env: ENVIRONMENT, stdio: 'pipe' })
  mkdirSync(join(workspace, 'sub'))
  mkdirSync(join(workspace, 'tools'))
  writeFileSync(join(workspace, 'payload'), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 })
  writeFileSync(join(workspace, 'a.txt'), 'a\n')
  for (const name of ['hook.sh', 'check.sh', 'env.sh'])
    writeFileSync(join(workspace, 'tools', name), '#!/bin/sh\ntrue\n', { mode: 0o755 })
  writeFileSync(join(workspace, '.envrc'), 'source tools/env.sh\ndotenv\n')
  mkdirSync(join(workspace, '.githooks'))
  symlinkSync('../tools/hook.sh', join(workspace, '.githooks/post-commit'))
  writeFileSync(join(workspace, '.githooks/pre-commit'), '#!/bin/sh\nexec ./tools/check.sh\n', { mode: 0o755 })
  git('init', '-q', '-b', 'main')
  git('add', 'a.txt')
  git('commit', '-qm', 'one')
  git('branch', 'dev')
  if (hasOwnHooks) git('config', 'core.hooksPath', '.githooks')
  git('config', 'include.path', '../shared.gitconfig')
  git('config', 'extensions.worktreeConfig', 'true')
  for (const key of ['user.name', 'user.email']) git('config', key, 'n@x')
}

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_AUTHOR_NAME: 'n',
  GIT_AUTHOR_EMAIL: 'e@x',
  GIT_COMMITTER_NAME: 'n',
  GIT_COMMITTER_EMAIL: 'e@x',
  GIT_EDITOR: 'true',
} as const

/** Runs what a person runs next, outside the sandbox; git may fail, but it must not run what was planted. */
function useGit(workspace: string): void {
  for (const folder of ['', 'sub', 'new', 'docs/deep'])
    for (const args of [
      ['status'],
      ['checkout', '--', '.'],
      ['commit', '-qam', 'x', '--allow-empty'],
      ['checkout', '-q', 'dev'],
    ]) {
      const cwd = join(workspace, folder)
      if (!existsSync(cwd)) continue
      try {
        execFileSync('git', args, { cwd, env: ENVIRONMENT, stdio: 'pipe', timeout: 20_000 })
      } catch {
        // A broken repository is an error of git, and harmless.
      }
    }
}

/** Runs `npm install` where a package is, as the person would, without the network. */
function useNpm(workspace: string): void {
  for (const folder of ['', 'sub']) {
    const cwd = join(workspace, folder)
    if (!existsSync(join(cwd, 'package.json')) && !existsSync(join(cwd, 'binding.gyp'))) continue
    const options = ['--offline', '--no-audit', '--no-fund']
    try {
      execFileSync('npm', ['install', ...options], {
        cwd,
        env: { ...ENVIRONMENT, HOME: temporaryFolder() },
        stdio: 'pipe',
        timeout: 60_000,
      })
    } catch {
      // A broken package is an error of npm, and harmless.
    }
  }
}

/** What direnv, npm, pre-commit and editors would read, with its content. */
function readTrusted(workspace: string): string[] {
  return FILES.filter((path) => !path.startsWith('.git/') && !/HEAD$|bare/.test(path)).flatMap((path) => {
    try {
      return [`${path}: ${readFileSync(join(workspace, path), 'utf8')}`]
    } catch {
      return []
    }
  })
}

/** What the workspace has, and how the script is given. */
interface Setting {
  /** True for a repository with a folder of hooks of its own. */
  readonly hasOwnHooks: boolean
  /** True for a script that no rule can read before it runs, so that only what it left is judged. */
  readonly isHidden: boolean
}

function callOf(script: string, isHidden: boolean): object {
  if (!isHidden) return { language: 'bash', code: script }
  const bytes = [...Buffer.from(script)].map((byte) => byte ^ 1)
  const code = `import subprocess\nsubprocess.run(["bash", "-c", bytes(b ^ 1 for b in ${JSON.stringify(bytes)})])`
  return { language: 'python', code }
}

/** Runs a script in a workspace of its own and checks that what the person runs next leaves no canary. */
async function plant(steps: readonly Step[], { hasOwnHooks, isHidden }: Setting): Promise<'applied' | 'refused'> {
  const canary = join(temporaryFolder(), 'canary')
  const host = await exampleHost({ home: temporaryFolder() })
  fill(host.workspace, { canary, hasOwnHooks })
  const before = readTrusted(host.workspace)
  const code = `echo ordinary > ordinary.txt\n${steps.map((one) => `{ ${commandsOf(one)}; } 2>/dev/null`).join('\n')}\ntrue`
  const result = await host.call('run_code', callOf(code, isHidden))
  if (isHidden) expect(result.text, code).not.toContain('was not run')
  expect(readTrusted(host.workspace), `${code}\n${result.text}`).toEqual(before)
  useGit(host.workspace)
  useNpm(host.workspace)
  expect(existsSync(canary), `${code}\n${result.text}`).toBe(false)
  await host.close()
  return result.ok ? 'applied' : 'refused'
}

test(`S2.5 whatever a script plants in each of ${ALL} dangerous places, nothing that is applied without a question runs later`, async () => {
  expect(ALL).toBeGreaterThanOrEqual(60)
  const outcomes = { applied: 0, refused: 0 }
  const each = fc.tuple(...PLACES.map(stepAt))
  const [steps = []] = fc.sample(each, 1)
  // Git runs the usual hooks only where no other folder is set.
  for (const one of [...steps, ...REST])
    outcomes[await plant([one], { hasOwnHooks: !one.place.startsWith('.git/hooks/'), isHidden: true })]++
  expect(outcomes.refused).toBeGreaterThan(40)
}, 240_000)

test('S2.5 several of them in one script run nothing either', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 2, maxLength: 4 }),
      fc.record({ hasOwnHooks: fc.boolean(), isHidden: fc.boolean() }),
      async (steps, setting) => void (await plant(steps, setting)),
    ),
    { numRuns: 25 },
  )
}, 240_000)
