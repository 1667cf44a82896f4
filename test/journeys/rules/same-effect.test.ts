import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createHost,
  defineTool,
  deletes,
  type Host,
  type Mode,
  objectSchema,
  string,
  writes,
} from '../../../src/index.ts'

type Call = readonly [tool: string, args: object]

const shell = (command: string, more: object = {}): Call => ['shell', { command, ...more }]
const later = (command: string): Call => shell(command, { background: true })

/** A tool of a program that says what it touches. */
const writer = defineTool({
  name: 'save',
  description: 'Save a file.',
  input: objectSchema({ path: string('Path') }),
  effect: 'write',
  approval: false,
  touches: ({ path }) => [writes(path)],
  execute: () => undefined,
})
const eraser = defineTool({
  name: 'erase',
  description: 'Erase a file.',
  input: objectSchema({ path: string('Path') }),
  effect: 'write',
  approval: false,
  touches: ({ path }) => [deletes(path)],
  execute: () => undefined,
})

type Verdicts = Readonly<Record<Mode, string>>

interface Effect {
  readonly name: string
  readonly verdicts: Verdicts
  /** What commands get in `review`, where their changes are approved afterwards; file tools ask as in `ask`. */
  readonly reviewed?: string
  readonly ways: readonly Call[]
}

const EFFECTS: readonly Effect[] = [
  {
    name: 'changing an existing file',
    verdicts: { plan: 'deny', ask: 'ask', review: 'ask', edit: 'allow', auto: 'allow' },
    reviewed: 'allow',
    ways: [
      ['write_file', { path: 'a.txt', content: 'x' }],
      ['edit_file', { path: 'a.txt', edits: [{ old: 'old', new: 'x' }] }],
      ['move_file', { from: 'c.txt', to: 'a.txt', overwrite: true }],
      ['save', { path: 'a.txt' }],
      shell('echo x > a.txt'),
      shell('echo x >> dir/b.txt'),
      shell("sed -i 's/a/b/' a.txt"),
      shell('cp c.txt a.txt'),
      shell('mv c.txt a.txt'),
      shell('cat c.txt | tee dir/b.txt'),
      shell("python3 -c \"open('a.txt', 'w').write('x')\""),
      shell("node -e \"require('fs').writeFileSync('a.txt', 'x')\""),
      shell("perl -pi -e 's/a/b/' dir/*.txt"),
      shell("bash -c 'truncate -s0 a.txt'"),
      shell('git restore a.txt'),
      shell("find . -name 'a.txt' -exec sed -i s/a/b/ {} +"),
      shell('tar xf c.txt'),
      shell('unzip -o c.txt'),
      shell('7z x -y c.txt'),
      shell('patch -p1 < c.txt'),
      shell('git apply c.txt'),
      shell('rsync c.txt a.txt'),
      shell('install -m 644 c.txt a.txt'),
      shell('dd if=c.txt of=a.txt'),
      shell('ln -sf c.txt a.txt'),
      shell('sort -o a.txt c.txt'),
      shell('cp -r dir/. .'),
      shell('split -l 1 c.txt a.t'),
      shell('gunzip -f a.txt.gz'),
      later('echo x > a.txt'),
    ],
  },
  {
    name: 'deleting an existing file',
    verdicts: { plan: 'deny', ask: 'ask', review: 'ask', edit: 'allow', auto: 'allow' },
    reviewed: 'allow',
    ways: [
      ['delete_file', { path: 'a.txt' }],
      ['erase', { path: 'a.txt' }],
      shell('rm a.txt'),
      shell('rm -f dir/b.txt'),
      shell('unlink a.txt'),
      shell("find . -name '*.txt' -delete"),
      shell('ls *.txt | xargs rm'),
      shell('python3 -c "import os; os.remove(\'a.txt\')"'),
      shell("node -e \"require('fs').unlinkSync('a.txt')\""),
      shell('perl -e "unlink \'a.txt\'"'),
      shell('mv a.txt new.txt && rm new.txt'),
      shell('git rm -f a.txt'),
      later('rm a.txt'),
    ],
  },
  {
    name: 'making a new file',
    verdicts: { plan: 'deny', ask: 'allow', review: 'allow', edit: 'allow', auto: 'allow' },
    ways: [
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['move_file', { from: 'c.txt', to: 'new.txt' }],
      ['save', { path: 'new.txt' }],
      shell('echo x > new.txt'),
      shell('touch new.txt'),
      shell('cp a.txt new.txt'),
      shell('tar xf c.txt -C new'),
      shell('unzip c.txt -d new'),
      shell('tar xf missing.tar'),
      shell('tar xkf c.txt'),
      shell('rsync -a c.txt new/'),
      shell('split -l 1 c.txt part_'),
      shell('gzip -k a.txt'),
      shell('mv c.txt new.txt'),
      shell('mkdir -p dir/new'),
      shell("python3 -c \"open('new.txt', 'w').write('x')\""),
      shell("node -e \"require('fs').writeFileSync('new.txt', 'x')\""),
      later('echo x > new.txt'),
    ],
  },
  {
    name: 'changing a file that other programs trust',
    verdicts: { plan: 'deny', ask: 'ask', review: 'ask', edit: 'ask', auto: 'allow' },
    reviewed: 'allow',
    ways: [
      ['write_file', { path: '.envrc', content: 'x' }],
      ['move_file', { from: 'c.txt', to: '.envrc' }],
      ['save', { path: '.envrc' }],
      shell('echo x > .envrc'),
      shell('cp a.txt .envrc'),
      shell('mv c.txt .vscode/tasks.json'),
      shell('tee .github/workflows/ci.yml < a.txt'),
      shell("python3 -c \"open('.envrc', 'w').write('x')\""),
      shell("node -e \"require('fs').writeFileSync('.envrc', 'x')\""),
      later('echo x > .envrc'),
    ],
  },
  {
    name: 'only looking',
    verdicts: { plan: 'allow', ask: 'allow', review: 'allow', edit: 'allow', auto: 'allow' },
    ways: [
      ['read_file', { path: 'a.txt' }],
      ['list_directory', { path: '.' }],
      ['search_text', { pattern: 'x' }],
      shell('cat a.txt'),
      shell('grep -rn x .'),
      shell('git log --oneline | head -3'),
      shell("find . -name '*.txt' | xargs wc -l"),
      shell('ls -la 2>/dev/null'),
      later('head a.txt'),
    ],
  },
  {
    name: 'reaching the network',
    verdicts: { plan: 'deny', ask: 'ask', review: 'ask', edit: 'ask', auto: 'allow' },
    ways: [
      shell('curl https://example.com'),
      shell('wget -q https://example.com/x'),
      shell('git push'),
      shell('git pull'),
      shell('npm install'),
      shell('ssh host ls'),
      shell('python3 -c "import urllib.request; urllib.request.urlopen(\'https://example.com\')"'),
      shell('npm publish'),
      later('curl https://example.com'),
    ],
  },
  {
    name: 'destroying the home folder',
    verdicts: { plan: 'deny', ask: 'deny', review: 'deny', edit: 'deny', auto: 'deny' },
    ways: [
      shell('rm -rf ~'),
      shell('find ~ -delete'),
      shell('bash -c "rm -rf $HOME"'),
      shell('python3 -c "import shutil, os; shutil.rmtree(os.path.expanduser(\'~\'))"'),
      shell('python3 -c "import os; os.system(\'rm -rf ~\')"'),
      shell('perl -e \'system("rm -rf ~")\''),
      ['run_code', { language: 'bash', code: 'rm -rf ~' }],
      ['run_code', { language: 'python', code: "import os\nos.system('rm -rf ~')" }],
      later('rm -rf ~'),
    ],
  },
]

let host: Host
let workspace: string

beforeAll(async () => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'haft-')))
  mkdirSync(join(workspace, 'dir'))
  for (const file of ['a.txt', 'c.txt', 'dir/b.txt']) writeFileSync(join(workspace, file), 'old\n')
  host = await createHost({ workspace, storage: 'memory', tools: [writer, eraser] })
})
afterAll(async () => {
  await host.close()
  rmSync(workspace, { recursive: true, force: true })
})

describe.each(EFFECTS)('S4.2 $name', ({ verdicts, reviewed, ways }) => {
  test.each(Object.keys(verdicts) as Mode[])(
    'gets the same verdict in mode %s, whatever tool causes it',
    async (mode) => {
      expect(ways.length).toBeGreaterThanOrEqual(8)
      for (const [tool, args] of ways) {
        const { decision, rule, text } = await host.check(tool, args, { mode })
        const wanted = mode === 'review' && tool === 'shell' ? (reviewed ?? verdicts.review) : verdicts[mode]
        expect(decision, `${tool} ${JSON.stringify(args)}: ${rule}: ${text}`).toBe(wanted)
      }
    },
  )
})

test('run_code runs without a question in every mode but plan', async () => {
  const args = { language: 'python', code: "open('a.txt', 'w').write('x')" }
  for (const mode of ['ask', 'review', 'edit', 'auto'] as const)
    expect(await host.check('run_code', args, { mode })).toMatchObject({ decision: 'allow' })
  expect(await host.check('run_code', args, { mode: 'plan' })).toMatchObject({ decision: 'deny', rule: 'mode plan' })
})
