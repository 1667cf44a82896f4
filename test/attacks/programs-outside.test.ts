import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../support/built-program.ts'
import { makeRepository } from '../support/git.ts'
import { toolFile, writeFiles } from '../support/python-tools.ts'
import { openTerminal } from '../support/terminal.ts'

/** Every program that something outside the sandbox might be started by or through. */
const NAMES = [
  ...['bwrap', 'mkfifo', 'unshare', 'setpriv', 'mount', 'perl', 'git', 'ssh', 'sh', 'bash', 'env', 'ls', 'cat', 'ps'],
  ...['python3', 'python', 'node', 'npx', 'npm', 'rg', 'xdg-open', 'open', 'sensible-browser', 'own-editor', 'server'],
]

/** Writes programs that leave a mark where they run outside the sandbox, and then do what the real one does. */
function plant(folder: string, marks: string, names: readonly string[] = NAMES): void {
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    const real = ['/usr/bin', '/bin', '/usr/sbin'].map((one) => join(one, name)).find(existsSync) ?? '/bin/true'
    const next = name === 'node' ? process.execPath : name === 'xdg-open' ? '/bin/true' : real
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$0" >> '${marks}'\nexec '${next}' "$@"\n`)
    chmodSync(join(folder, name), 0o755)
  }
}

interface Attacked extends BuiltProgram {
  readonly marks: string
  /** What was run outside, one path a line. */
  marked(): string
}

/** A person with tools of their own, an MCP server and a repository. */
function prepare(): Attacked {
  const program = buildProgram()
  const marks = join(program.workspace, '../marks')
  makeRepository(program.workspace, { 'a.txt': 'one\n', 'secret.pem': 'x' })
  writeFiles(join(program.home, 'tools'), {
    'own.py': toolFile('import sys\ndef own(): return sys.prefix', { own: { name: 'own', description: 'Own.' } }),
    'own.mjs':
      "export default { name: 'nodetool', description: 'Own.', inputSchema: { type: 'object', properties: {} }, execute: async () => ({ ok: true, value: 'fine' }) }",
  })
  return { ...program, marks, marked: () => (existsSync(marks) ? readFileSync(marks, 'utf8') : '') }
}

const SYSTEM = '/usr/local/bin:/usr/bin:/bin'

/** The ways in which PATH leads to what a command has written. */
const KINDS: readonly (readonly [string, (attacked: Attacked) => Promise<Record<string, string>>])[] = [
  [
    'an activated virtual environment',
    async ({ workspace, marks }) => {
      const environment = join(workspace, '.venv')
      plant(
        join(environment, 'bin'),
        marks,
        NAMES.filter((name) => !name.startsWith('python')),
      )
      for (const name of ['python3', 'python']) symlinkSync('/usr/bin/python3', join(environment, 'bin', name))
      const version = execFileSync('/usr/bin/python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
        encoding: 'utf8',
      }).trim()
      writeFiles(environment, {
        'pyvenv.cfg': 'home = /usr/bin\ninclude-system-site-packages = false\n',
        [`lib/python${version}/site-packages/x.pth`]: `import os; open('${marks}', 'a').write('x.pth\\n')\n`,
      })
      return { PATH: `${environment}/bin:${SYSTEM}`, VIRTUAL_ENV: environment, EDITOR: 'own-editor' }
    },
  ],
  [
    'npm and npx',
    async ({ workspace, marks }) => {
      const folder = join(workspace, 'node_modules/.bin')
      plant(folder, marks)
      writeFileSync(join(workspace, 'load.cjs'), `require('fs').appendFileSync('${marks}', 'load.cjs\\n')`)
      return {
        ...{
          PATH: `${folder}:${SYSTEM}`,
          npm_config_local_prefix: workspace,
          NODE_PATH: join(workspace, 'node_modules'),
        },
        ...{ EDITOR: 'own-editor', BROWSER: `${folder}/sensible-browser` },
      }
    },
  ],
  [
    'relative folders',
    async ({ workspace, marks }) => {
      plant(join(workspace, 'node_modules/.bin'), marks)
      plant(workspace, marks)
      return {
        PATH: `./node_modules/.bin:node_modules/.bin::.:${SYSTEM}`,
        ...{ PYTHONPATH: '.:lib', LD_LIBRARY_PATH: '.', PERL5LIB: '.', EDITOR: './own-editor', BROWSER: './xdg-open' },
      }
    },
  ],
  [
    'another workspace of the home, through a link too',
    async (attacked) => {
      const { workspace, marks } = attacked
      const other = join(workspace, '../other')
      plant(join(other, 'bin'), marks)
      symlinkSync(join(other, 'bin'), join(workspace, '../tools'))
      const used = await haft(attacked, ['call', 'shell', '{"command":"echo used"}', '--workspace', other])
      expect(used.stdout, used.stderr).toBe('used\n')
      return { PATH: `${join(workspace, '../tools')}:${other}/bin:${SYSTEM}`, EDITOR: `${other}/bin/own-editor` }
    },
  ],
]

/** What a person and a model do, and what is seen of it. The name of the host is that of the sandbox. */
const CALLS: readonly (readonly [string, object, RegExp])[] = [
  ['shell', { command: 'uname -n; echo new > b.txt' }, /^sandbox\n/],
  ['run_code', { language: 'python', code: 'import socket; print(socket.gethostname())' }, /^sandbox\n/],
  ['run_code', { language: 'bash', code: 'git add b.txt && git commit -qm b && uname -n' }, /^sandbox\n/],
  ['git_status', {}, /main|master|branch/],
  ['search_text', { pattern: 'one' }, /a\.txt/],
  ['own', {}, /^\/usr/],
  ['nodetool', {}, /fine/],
  ['list_processes', {}, /haft|node/],
]

describe.for(KINDS)('what a command left on PATH by %s never runs outside the sandbox', ([, open]) => {
  test('calls, undo and doctor', async () => {
    const attacked = prepare()
    const env = await open(attacked)
    const call = (...args: string[]) => haft(attacked, args, { env })
    for (const [tool, args, seen] of CALLS) {
      const { stdout, stderr } = await call('call', tool, JSON.stringify(args), '--yes')
      expect(stdout, `${tool}: ${stderr}`).toMatch(seen)
      expect(attacked.marked(), tool).toBe('')
    }
    const undone = await call('undo', '--yes')
    expect(undone.code, undone.stderr).toBe(0)
    const { stdout } = await call('doctor')
    expect(stdout).toMatch(/bwrap: \/usr\/bin\/bwrap/)
    expect(attacked.marked()).toBe('')
  })

  test('an editor, the system’s opener and an MCP server', async () => {
    const attacked = prepare()
    const env = await open(attacked)
    writeFileSync(
      join(attacked.home, 'settings.toml'),
      '[mcp.one]\ncommand = "server"\n\n[mcp.two]\ncommand = "npx"\nargs = ["nothing"]\n',
    )
    const { home, workspace, main } = attacked
    const variables = Object.entries({ ...env, HAFT_HOME: home, HOME: dirname(home) }).map((one) => one.join('='))
    const call = [process.execPath, main, 'call', 'open_file', '{"path":"a.txt"}', '--yes']
    const terminal = openTerminal(['/usr/bin/env', ...variables, ...call], { cwd: workspace })
    const screen = await terminal.waitFor(/exit=/)
    expect(screen).toMatch(/Haft does not start/)
    const tested = await haft(attacked, ['mcp', 'test', 'one'], { env })
    expect(tested.stderr).toMatch(/Haft does not start .*server outside the\s+sandbox/)
    await haft(attacked, ['mcp', 'test', 'two'], { env })
    expect(attacked.marked()).toBe('')
  })
})
