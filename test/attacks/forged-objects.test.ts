import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
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

/** A workspace with tracked hooks of its own, tools that these and direnv run, and the branches main and dev. */
async function openHost(canary: string): Promise<Host> {
  const host = await exampleHost({ home: temporaryFolder() })
  const { workspace } = host
  const write = (path: string, text: string) => writeFileSync(join(workspace, path), text, { mode: 0o755 })
  for (const folder of ['.githooks', 'tools', '.husky']) mkdirSync(join(workspace, folder))
  write('payload', `#!/bin/sh\ntouch ${canary}\n`)
  write('.githooks/pre-commit', '#!/bin/sh\n./tools/check.sh; sh ./.husky/pre-commit\n')
  write('.husky/pre-commit', 'true\n')
  write('tools/check.sh', '#!/bin/sh\ntrue\n')
  write('tools/env.sh', 'true\n')
  write('.envrc', 'source tools/env.sh\n')
  write('package.json', '{"name":"a","version":"1.0.0"}\n')
  git(workspace, 'init', '-q', '-b', 'main')
  git(workspace, 'add', '-A')
  git(workspace, 'commit', '-qm', 'one')
  git(workspace, 'branch', 'dev')
  for (const [key, value] of [
    ['core.hooksPath', '.githooks'],
    ['user.name', 'n'],
    ['user.email', 'e@x'],
  ] as const)
    git(workspace, 'config', key, value)
  return host
}

/** A call that runs a script in a way that no rule can read beforehand. */
const hide = (script: string) => ({
  language: 'python',
  code: `import base64, subprocess\nsubprocess.run([chr(98) + 'ash', '-ec', base64.b64decode('${Buffer.from(script).toString('base64')}')], check=True)`,
})

const BLOBS = 'old=$(git rev-parse HEAD:.githooks/pre-commit); new=$(git hash-object -w payload)'
const CHANGE = `chmod -R u+w .git; python3 - <<'END'\nimport hashlib, os, struct, sys`

/** A pack that holds the payload under the name of the known hook. */
const packIn = (folder: string) => `${BLOBS}; mkdir -p ${folder}; name=$(echo $new | git pack-objects -q ${folder}/pack)
export OLD=$old FILE=${folder}/pack-$name.idx; chmod u+w $FILE; ${CHANGE}
old, file = bytes.fromhex(os.environ['OLD']), os.environ['FILE']
index = open(file, 'rb').read()
counts = b''.join(struct.pack('>I', int(byte >= old[0])) for byte in range(256))
index = index[:8] + counts + old + index[8 + 1024 + 20:-20]
open(file, 'wb').write(index + hashlib.sha1(index).digest())
END`

/** A graph of commits in which dev has a tree with the payload as its hook. */
const GRAPH = `${BLOBS}; tree=$(printf "100755 blob $new\\tpre-commit\\n" | git mktree)
export NEW=$(printf "040000 tree $tree\\t.githooks\\n" | git mktree) OLD=$(git rev-parse dev^{tree}); git commit-graph write --reachable; ${CHANGE}
file = '.git/objects/info/commit-graph'
graph = open(file, 'rb').read()[:-20].replace(bytes.fromhex(os.environ['OLD']), bytes.fromhex(os.environ['NEW']))
open(file, 'wb').write(graph + hashlib.sha1(graph).digest())
END`

const FORGED: readonly (readonly [string, string])[] = [
  ['a ref that replaces it', `${BLOBS}; git replace $old $new`],
  [
    'such a ref among the packed ones',
    `${BLOBS}; printf '# pack-refs with: peeled fully-peeled sorted\\n%s refs/replace/%s\\n' $new $old > .git/packed-refs`,
  ],
  [
    'another content under its name',
    `${BLOBS}; at() { echo .git/objects/\${1:0:2}/\${1:2}; }; chmod -R u+w .git/objects; cp $(at $new) $(at $old)`,
  ],
  ['another content in a pack', packIn('.git/objects/pack')],
  [
    'another content in a further folder of objects',
    `${packIn('more/pack')}\nmkdir -p .git/objects/info; echo ../../more > .git/objects/info/alternates`,
  ],
  ['another tree in the graph of commits', GRAPH],
]

test.for(FORGED)('S2.5 git checks out no other hook in place of a known one: %s', async ([, plant]) => {
  const canary = join(temporaryFolder(), 'canary')
  const host = await openHost(canary)
  const result = await host.call('run_code', hide(plant))
  expect(result, result.text).toMatchObject({ ok: false, text: expect.stringMatching(/refs|objects/) })
  expect(['BLOCKED', 'DENIED']).toContain(result.ok ? '' : result.code)
  rmSync(join(host.workspace, '.githooks/pre-commit'))
  git(host.workspace, 'checkout', '-q', '--', '.')
  git(host.workspace, 'checkout', '-q', 'dev')
  git(host.workspace, 'commit', '-qm', 'x', '--allow-empty')
  expect(existsSync(canary)).toBe(false)
})

const INDEX = 'export GIT_INDEX_FILE=/tmp/index; git read-tree dev; new=$(git hash-object -w payload)'
const COMMIT = 'git update-ref refs/heads/dev $(git commit-tree -p dev -m x $(git write-tree))'
const TRUSTED = [
  ...['.husky/pre-commit', 'tools/check.sh', 'tools/env.sh', '.pre-commit-config.yaml', 'sub/lefthook.yml'],
  ...['.vscode/tasks.json', '.envrc', 'AGENTS.md', 'sub/.npmrc', 'package.json'],
] as const

test.for(TRUSTED)('S2.5 a checkout of what a command committed brings no new %s without a question', async (path) => {
  const host = await openHost(join(temporaryFolder(), 'canary'))
  const manifest = `new=$(echo '{"scripts":{"postinstall":"./payload"}}' | git hash-object -w --stdin)`
  const plant = `${INDEX}; ${path === 'package.json' ? manifest : 'true'}; git update-index --add --cacheinfo 100755,$new,${path}`
  for (const script of [`${plant}; ${COMMIT}`, `${plant}; cp /tmp/index .git/index`]) {
    const result = await host.call('run_code', hide(script))
    expect(result, result.text).toMatchObject({ ok: false, code: 'DENIED', text: expect.stringContaining(path) })
  }
})

test('what the work tree or a commit of the repository holds is committed, rebased and picked without a question', async () => {
  const host = await openHost(join(temporaryFolder(), 'canary'))
  const { workspace } = host
  git(workspace, 'switch', '-qc', 'f')
  writeFileSync(join(workspace, '.npmrc'), 'a=b\n')
  git(workspace, 'add', '.npmrc')
  git(workspace, 'commit', '-qm', 'settings')
  mkdirSync(join(workspace, '.vscode'))
  writeFileSync(join(workspace, '.vscode/tasks.json'), '{}\n')
  const code = [
    'git add .vscode; git commit -qm tasks; git worktree add -q /tmp/w dev; cd /tmp/w; git commit -qm x --allow-empty',
    'git cherry-pick f~1 f; cd -; git worktree remove --force /tmp/w; echo b > b.txt; git add b.txt; git commit -qm b',
    'git commit-graph write --reachable; git repack -adq; git pack-refs --all; git clone -qn --shared . copy',
  ].join('; ')
  const result = await host.call('run_code', hide(code))
  expect(result, result.text).toMatchObject({ ok: true, data: { exitCode: 0 } })
})
