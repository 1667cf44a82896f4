import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './example-host.ts'
import { openSandboxAs, type Places, type USERS, type UsersSandbox } from './sandbox-users.ts'

/** A sandbox whose workspace holds a small project. */
export function openProject(user: (typeof USERS)[number], places: Places = {}): UsersSandbox {
  const opened = openSandboxAs(user, places)
  const { workspace } = opened
  mkdirSync(join(workspace, 'src/deep'), { recursive: true })
  for (const [path, text] of [
    ['a.txt', 'one\n'],
    ['b.txt', 'two\n'],
    ['src/main.py', 'print(1)\n'],
    ['src/deep/data', 'x'.repeat(100_000)],
  ] as const)
    writeFileSync(join(workspace, path), text)
  chmodSync(join(workspace, 'b.txt'), 0o600)
  opened.own()
  return opened
}

/** Scripts that change a project in every way. */
export const SCRIPTS: readonly (readonly [string, string])[] = [
  ['create, append, truncate', 'echo new > n; echo more >> a.txt; : > b.txt; mkdir -p p/q/r; echo deep > p/q/r/s'],
  ['delete files and folders', 'rm a.txt; rm -r src'],
  ['delete a folder and make it again', 'rm -r src; mkdir src; echo other > src/other'],
  ['delete a file and make a folder of it', 'rm a.txt; mkdir a.txt; echo in > a.txt/in'],
  ['delete a folder and make a file of it', 'rm -r src; echo file > src'],
  ['rename files', 'mv a.txt c.txt; mv b.txt a.txt; mv src/main.py src/deep/m.py'],
  ['rename folders with mv', 'mv src lib; mkdir src; mv lib src/lib'],
  ['modes', 'chmod 755 a.txt; chmod 700 src; chmod 444 src/main.py; mkdir -m 711 odd'],
  [
    'files and folders that it closes to its own user',
    'echo x > f; chmod 000 f; mkdir -p d/e; echo y > d/e/f; chmod 000 d/e; chmod 500 d; mkdir ro; echo z > ro/f; chmod 555 ro; chmod 000 a.txt; echo n > src/deep/n; chmod 000 src/deep; chmod 444 src',
  ],
  ['a link and a folder in its place', 'ln -s src lib; true'],
  ['links', 'ln -s a.txt l; ln -s nowhere broken; ln -sf b.txt l; rm src/main.py; ln -s deep/data src/main.py'],
  ['hard links', 'echo h > h1; ln h1 h2; ln a.txt a2'],
  [
    'names that are hard to quote',
    "echo x > \"it's, a: \\\"name\\\"\"; mkdir 'sp ace'; echo y > 'sp ace/-n'; echo z > $'new\\nline'; echo ü > ü",
  ],
  ['empty folders', 'mkdir -p e1/e2; rmdir src/none 2>/dev/null; rm -r src/deep; true'],
  ['a failing end', 'echo kept > kept; exit 9'],
  ['nothing', 'cat a.txt > /dev/null'],
  ['rewriting with the same bytes', 'cat a.txt > t; cat t > a.txt; rm t'],
  [
    'a repository',
    'git init -q . && git add . && git -c user.name=n -c user.email=e commit -qm one && git log --oneline | wc -l && rm -rf .git/hooks .git/objects .git/index .git/logs .git/refs/heads .git/COMMIT_EDITMSG',
  ],
  ['tar', 'tar cf t.tar src && rm -r src && tar xf t.tar && rm t.tar'],
]

/** Runs a script without a sandbox in a copy of the workspace; returns the copy. */
export function runBare(script: string, workspace: string): string {
  const bare = temporaryFolder()
  cpSync(workspace, bare, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  const env = { PATH: process.env.PATH ?? '', HOME: bare, GIT_CONFIG_NOSYSTEM: '1', LANG: 'C.UTF-8' }
  try {
    execFileSync('bash', ['-c', script], { cwd: bare, env, stdio: 'ignore' })
  } catch {}
  return bare
}
