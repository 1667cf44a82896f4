import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host, Rule } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'
import { describeTree } from '../../support/trees.ts'

const READ_ONLY: Rule = {
  name: 'src_is_read_only',
  decision: 'deny',
  writes: ['src/**'],
  effects: ['run'],
  reason: 'src is reviewed by hand',
}
const ASK_DOCS: Rule = {
  name: 'ask_docs',
  decision: 'ask',
  paths: ['docs/**'],
  effects: ['run'],
  reason: 'docs are published',
}

async function openHost(rule: Rule, wait = false): Promise<Host> {
  const host = await exampleHost({ home: temporaryFolder(), rules: [rule], wait })
  for (const folder of ['src', 'docs']) mkdirSync(join(host.workspace, folder))
  writeFileSync(join(host.workspace, 'src/sum.ts'), 'one\n')
  writeFileSync(join(host.workspace, 'docs/a.md'), 'a\n')
  return host
}

/** Hides from every reader which file is changed. */
const hidden = (command: string) => ({
  language: 'python',
  code: `import base64, subprocess\nsubprocess.run(base64.b64decode("${Buffer.from(command).toString('base64')}"), shell=True)`,
})

test.for([
  ['written', 'echo two >> src/sum.ts'],
  ['replaced', 'echo two > x && mv x src/sum.ts'],
  ['deleted', 'rm src/sum.ts'],
  ['deleted with its folder', 'rm -rf src'],
  ['moved', 'mv src/sum.ts elsewhere.ts'],
  ['put beside others', 'echo new > src/new.ts'],
  ['given another mode', 'chmod 600 src/sum.ts'],
  ['replaced by a link', 'ln -sf /etc/hosts src/sum.ts'],
] as const)('a deny on paths holds for what a command really did: %s', async ([, command]) => {
  const host = await openHost(READ_ONLY)
  const before = describeTree(host.workspace)
  const result = await host.call('run_code', hidden(`echo other > other; ${command}`), { decision: 'allow' })
  expect(result).toMatchObject({
    ok: false,
    code: 'BLOCKED',
    text: expect.stringMatching(
      /src(\/\S+)?, which the rule "src_is_read_only" denies: src is reviewed by hand\. None/,
    ),
    details: { rule: 'src_is_read_only' },
  })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('what no rule is against is applied as before', async () => {
  const host = await openHost(READ_ONLY)
  expect(await host.call('run_code', hidden('echo x > docs/b.md'))).toMatchObject({ ok: true })
  expect(existsSync(join(host.workspace, 'docs/b.md'))).toBe(true)
})

test('an ask on paths shows the diff of what was really changed, and yes applies it', async () => {
  const host = await openHost(ASK_DOCS, true)
  const calling = host.call('run_code', hidden('echo b >> docs/a.md; echo other > other'))
  const { request } = await openRequest(host)
  expect(request).toMatchObject({
    hasRun: true,
    rule: 'ask_docs',
    reason: 'docs are published',
    effects: ['adds other', 'changes docs/a.md'],
    preview: { kind: 'diff', text: expect.stringContaining('+++ docs/a.md\n@@ -1,1 +1,2 @@\n a\n+b') },
  })
  expect(readFileSync(join(host.workspace, 'docs/a.md'), 'utf8')).toBe('a\n')
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: true })
  expect(readFileSync(join(host.workspace, 'docs/a.md'), 'utf8')).toBe('a\nb\n')
})

test('an ask that is answered with no discards everything', async () => {
  const host = await openHost(ASK_DOCS)
  const before = describeTree(host.workspace)
  const result = await host.call('run_code', hidden('rm -r docs; echo other > other'), { decision: 'deny' })
  expect(result).toMatchObject({ ok: false, code: 'DENIED' })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('in the mode review a command runs without a question, and what it really changed is approved as a diff before it is applied', async () => {
  const host = await openHost(ASK_DOCS, true)
  const command = 'echo two >> src/sum.ts; echo new > added.txt'
  const calling = host.call('shell', { command }, { mode: 'review' })
  const { request } = await openRequest(host)
  expect(request).toMatchObject({ hasRun: true, rule: 'mode review', preview: { kind: 'diff' } })
  expect(request.preview?.text).toContain('+two')
  expect(readFileSync(join(host.workspace, 'src/sum.ts'), 'utf8')).toBe('one\n')
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: true })
  expect(readFileSync(join(host.workspace, 'src/sum.ts'), 'utf8')).toBe('one\ntwo\n')
  expect(await host.call('shell', { command: 'cat src/sum.ts' }, { mode: 'review' })).toMatchObject({ ok: true })
})

test('in the mode review a no applies nothing of a command', async () => {
  const host = await openHost(ASK_DOCS)
  const result = await host.call('shell', { command: 'echo two >> src/sum.ts' }, { mode: 'review' })
  expect(result).toMatchObject({ code: 'DENIED' })
  expect(readFileSync(join(host.workspace, 'src/sum.ts'), 'utf8')).toBe('one\n')
})

test('in the mode review changes of git-ignored files alone ask nothing, and a tracked file is not ignored', async () => {
  const host = await openHost(ASK_DOCS)
  const git = (...args: string[]) => execFileSync('git', ['-C', host.workspace, ...args], { stdio: 'ignore' })
  git('init')
  mkdirSync(join(host.workspace, 'out'))
  writeFileSync(join(host.workspace, '.gitignore'), 'out/\n*.log\n!kept.log\n')
  writeFileSync(join(host.workspace, 'out/old.js'), 'old\n')
  writeFileSync(join(host.workspace, 'forced.log'), 'old\n')
  git('add', '-f', 'forced.log')
  const inReview = (command: string) => host.call('shell', { command }, { mode: 'review' })
  expect(await inReview('echo new > out/old.js; mkdir out/sub; echo x > out/sub/new.js; echo x > a.log')).toMatchObject(
    {
      ok: true,
    },
  )
  expect(readFileSync(join(host.workspace, 'out/sub/new.js'), 'utf8')).toBe('x\n')
  for (const command of [
    'echo x > out/b.js; echo x > seen.txt',
    'echo x > kept.log',
    'echo x > forced.log',
    'echo "*" > .gitignore; echo x > hidden.txt',
  ])
    expect(await inReview(command), command).toMatchObject({ ok: false, code: 'DENIED' })
  expect(readFileSync(join(host.workspace, 'forced.log'), 'utf8')).toBe('old\n')
  // A rule of the person counts for ignored files too.
  host.addRule({ name: 'out stays', decision: 'deny', writes: ['out/**'] })
  expect(await host.call('run_code', hidden('echo x > out/c.js'), { mode: 'review' })).toMatchObject({
    code: 'BLOCKED',
  })
})
