import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_AUTHOR_NAME: 'n',
  GIT_AUTHOR_EMAIL: 'e@x',
  GIT_COMMITTER_NAME: 'n',
  GIT_COMMITTER_EMAIL: 'e@x',
} as const

const git = (workspace: string, ...args: string[]) =>
  execFileSync('git', ['-C', workspace, ...args], { env: ENVIRONMENT, stdio: 'pipe' })

/** A workspace whose hooks are tracked, on the branch main beside dev. */
async function openHost(): Promise<Host> {
  const host = await exampleHost({ home: temporaryFolder() })
  const { workspace } = host
  mkdirSync(join(workspace, 'tools/hooks'), { recursive: true })
  writeFileSync(join(workspace, 'tools/hooks/post-checkout'), '#!/bin/sh\ntrue\n', { mode: 0o755 })
  writeFileSync(join(workspace, 'a.txt'), 'a\n')
  git(workspace, 'init', '-q', '-b', 'main')
  git(workspace, 'add', '-A')
  git(workspace, 'commit', '-qm', 'one')
  git(workspace, 'branch', 'dev')
  for (const [key, value] of [
    ['core.hooksPath', 'tools/hooks'],
    ['user.name', 'n'],
    ['user.email', 'e@x'],
  ] as const)
    git(workspace, 'config', key, value)
  return host
}

const INDEX = 'export GIT_INDEX_FILE=/tmp/index; git read-tree dev'
const COMMIT = 'git update-ref refs/heads/dev $(git commit-tree -p dev -m x $(git write-tree))'
const HOOK = 'hook=$(printf "#!/bin/sh\\ntouch $CANARY\\n" | git hash-object -w --stdin)'

/** A call that runs a script in a way that no rule can read beforehand. */
const hide = (script: string) => ({
  language: 'python',
  code: `import base64, subprocess\nsubprocess.run([chr(98) + 'ash', '-c', base64.b64decode('${Buffer.from(script).toString('base64')}')], check=True)`,
})

const PLANTS = [
  [
    'a changed hook on another branch',
    `${INDEX}; git update-index --cacheinfo 100755,$hook,tools/hooks/post-checkout; ${COMMIT}`,
  ],
  [
    'a link in place of the folder above the hooks',
    `${INDEX}; git rm -rq --cached tools; link=$(printf other | git hash-object -w --stdin); git update-index --add --cacheinfo 120000,$link,tools --cacheinfo 100755,$hook,other/hooks/post-checkout; ${COMMIT}`,
  ],
  [
    'objects in a pack',
    `${INDEX}; git update-index --cacheinfo 100755,$hook,tools/hooks/post-checkout; ${COMMIT}; git repack -adq`,
  ],
] as const

test.for(PLANTS)(
  'S2.5 git checkout runs no hook that a command committed without a question: %s',
  async ([, plant]) => {
    const canary = join(temporaryFolder(), 'canary')
    const host = await openHost()
    const call = hide(`set -e; CANARY=${canary}; ${HOOK}; ${plant}`)
    expect(await host.call('run_code', call)).toMatchObject({
      ok: false,
      code: 'DENIED',
      text: expect.stringContaining('which git runs once it is checked out'),
    })
    git(host.workspace, 'checkout', '-q', 'dev')
    expect(existsSync(canary)).toBe(false)
    git(host.workspace, 'checkout', '-q', 'main')
    // With a yes it is applied, which shows that the plant works.
    expect(await host.call('run_code', call, { decision: 'allow' })).toMatchObject({ ok: true, data: { exitCode: 0 } })
    git(host.workspace, 'checkout', '-q', 'dev')
    expect(existsSync(canary)).toBe(true)
  },
)

test('S2.5 git checkout runs no hook that a command staged without a question', async () => {
  const canary = join(temporaryFolder(), 'canary')
  const host = await openHost()
  const code = `set -e; CANARY=${canary}; ${HOOK}; git update-index --cacheinfo 100755,$hook,tools/hooks/post-checkout`
  expect(await host.call('run_code', { language: 'bash', code })).toMatchObject({ ok: false, code: 'DENIED' })
  git(host.workspace, 'checkout', '--', '.')
  expect(existsSync(canary)).toBe(false)
})

test('ordinary commits, branches, merges and orphans ask nothing in such a repository', async () => {
  const host = await openHost()
  const code = [
    'set -e; echo b > b.txt; git add b.txt; git commit -qm two; git switch -qc f dev; echo c > c.txt; git add c.txt',
    'git commit -qm three; git merge -q --no-edit main; git switch -q main; git stash -q || true',
    'git branch new $(git commit-tree -m root HEAD^{tree}); git gc -q',
  ].join('\n')
  const result = await host.call('run_code', { language: 'bash', code })
  expect(result, result.text).toMatchObject({ ok: true, data: { exitCode: 0 } })
})

test('S2.5 a hook that a command commits in a submodule is a question too', async () => {
  const host = await openHost()
  const lib = join(host.workspace, 'lib')
  mkdirSync(join(host.workspace, '.git/modules'), { recursive: true })
  git(host.workspace, 'init', '-q', '-b', 'main', `--separate-git-dir=${join(host.workspace, '.git/modules/lib')}`, lib)
  mkdirSync(join(lib, 'tools/hooks'), { recursive: true })
  writeFileSync(join(lib, 'tools/hooks/post-checkout'), '#!/bin/sh\ntrue\n', { mode: 0o755 })
  writeFileSync(join(lib, '.git'), 'gitdir: ../.git/modules/lib\n')
  git(lib, 'config', 'core.worktree', '../../../lib')
  git(lib, 'add', '-A')
  git(lib, 'commit', '-qm', 'one')
  git(lib, 'branch', 'dev')
  git(lib, 'config', 'core.hooksPath', 'tools/hooks')
  const commit = `git update-index --cacheinfo 100755,$hook,tools/hooks/post-checkout; ${COMMIT}`
  const identity = 'export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e@x GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e@x'
  const call = hide(`set -e; cd lib; ${identity}; CANARY=x; ${HOOK}; ${INDEX}; ${commit}`)
  expect(await host.call('run_code', call)).toMatchObject({
    ok: false,
    code: 'DENIED',
    text: expect.stringContaining('tools/hooks/post-checkout'),
  })
  const ordinary = `set -e; cd lib; ${identity}; ${INDEX}; b=$(echo b | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$b,b.txt; ${COMMIT}`
  const result = await host.call('run_code', hide(ordinary))
  expect(result, result.text).toMatchObject({ ok: true })
})
