import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineTool, type Host, type HostOptions, objectSchema } from '../../../src/index.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'
import { openTerminal } from '../../support/terminal.ts'
import { describeTree } from '../../support/trees.ts'

const CODE = 'mkdir -p .github/workflows; echo "run: evil" > .github/workflows/ci.yml; echo y > other; rm -f old'
const CALL = { language: 'bash', code: CODE }

async function openHost(options: HostOptions = {}): Promise<Host & { readonly before: unknown }> {
  const host = await exampleHost({ home: temporaryFolder(), ...options })
  writeFileSync(join(host.workspace, 'old'), 'old\n')
  return { ...host, before: describeTree(host.workspace) }
}

/** Checks that nothing of a run is left in the home of this host. */
function expectNothingLeft(home: string): Promise<void> {
  const runs = join(home, 'runs')
  return expect.poll(() => (existsSync(runs) ? readdirSync(runs) : [])).toEqual([])
}

test('a preset yes applies all that the command changed, and it can be undone', async () => {
  const host = await openHost()
  const result = await host.call('run_code', CALL, { decision: 'allow' })
  expect(result).toMatchObject({
    ok: true,
    data: { changed: { added: ['.github/workflows/ci.yml', 'other'], changed: [], deleted: ['old'] } },
  })
  expect(readFileSync(join(host.workspace, '.github/workflows/ci.yml'), 'utf8')).toBe('run: evil\n')
  expect(await host.undo(await host.undoable(), { decision: 'allow' })).toMatchObject({ ok: true })
  expect(describeTree(host.workspace)).toEqual(host.before)
})

test('the approval request has the tool, the command and a diff; it is logged with its answer', async () => {
  const host = await openHost({ wait: true })
  const calling = host.call('run_code', CALL)
  const { request } = await openRequest(host)
  expect(request).toMatchObject({
    tool: 'run_code',
    arguments: CALL,
    hasRun: true,
    effects: expect.arrayContaining(['adds .github/workflows/ci.yml', 'adds other', 'deletes old']),
    preview: {
      kind: 'diff',
      text: expect.stringContaining('+++ .github/workflows/ci.yml\n@@ -0,0 +1,1 @@\n+run: evil'),
    },
    grants: [],
  })
  expect(describeTree(host.workspace)).toEqual(host.before)
  expect(await host.approvals.answer(request.approval, { approved: true }, { by: 'a page' })).toMatchObject({
    ok: true,
    runs: 'asker',
  })
  expect(await calling).toMatchObject({ ok: true })
  expect(existsSync(join(host.workspace, 'other'))).toBe(true)
  expect(await host.approvals.list()).toEqual([])
  const types = (await host.log.read()).map(({ type }) => type)
  expect(types.slice(1)).toEqual([
    'call-start',
    'call-judged',
    'call-run',
    'approval-request',
    'approval-answer',
    'call-end',
  ])
  expect(await host.approvals.answer(request.approval, { approved: true })).toMatchObject({ code: 'CONFLICT' })
})

test.for([
  ['a no', { decision: 'deny' }, /^Denied by user\. run_code has run; .* None of its changes were applied\.$/],
  ['nobody', {}, /there is nobody to ask here\. None of its changes were applied\.$/],
  [
    'a yes to other arguments',
    { decision: { approved: true, modifiedArgs: { language: 'bash', code: 'true' } } },
    /None of its changes were applied\.$/,
  ],
] as const)('%s applies nothing', async ([, options, text]) => {
  const home = temporaryFolder()
  const host = await openHost({ home })
  const result = await host.call('run_code', CALL, options)
  expect(result).toMatchObject({ ok: false, code: 'DENIED', text: expect.stringMatching(text) })
  expect(describeTree(host.workspace)).toEqual(host.before)
  await expectNothingLeft(home)
})

test('expiry applies nothing', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), '[approvals]\nexpire_minutes = 0.005\n')
  const host = await openHost({ home, wait: true })
  const result = await host.call('run_code', CALL)
  expect(result).toMatchObject({ code: 'DENIED', text: expect.stringContaining('nobody answered') })
  expect(describeTree(host.workspace)).toEqual(host.before)
  await expectNothingLeft(home)
})

test('cancelled while the person thinks: nothing is applied, and nothing is left of the run', async () => {
  const home = temporaryFolder()
  const host = await openHost({ home, wait: true })
  const cancel = new AbortController()
  const calling = host.call('run_code', CALL, { signal: cancel.signal })
  await openRequest(host)
  cancel.abort()
  expect(await calling).toMatchObject({
    code: 'CANCELLED',
    text: 'run_code was cancelled. It was waiting for an approval; none of its changes were applied.',
  })
  expect(describeTree(host.workspace)).toEqual(host.before)
  expect(await host.approvals.list()).toEqual([])
  await expectNothingLeft(home)
})

test('the time a person takes does not count as the command’s', async () => {
  const host = await openHost({
    approver: { ask: () => new Promise((resolve) => setTimeout(() => resolve({ approved: true }), 2_500)) },
  })
  expect(await host.call('run_code', { ...CALL, timeout: 2 })).toMatchObject({ ok: true })
  expect(existsSync(join(host.workspace, 'other'))).toBe(true)
})

test('a file that changes while the person thinks is a CONFLICT, and nothing is applied', async () => {
  const host = await openHost({ wait: true })
  const calling = host.call('run_code', CALL)
  const { request } = await openRequest(host)
  mkdirSync(join(host.workspace, '.github'))
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ code: 'CONFLICT' })
  expect(existsSync(join(host.workspace, 'other'))).toBe(false)
  expect(existsSync(join(host.workspace, 'old'))).toBe(true)
})

test('a call that was approved before it ran is asked about again where it changed what the request did not name, with one request at a time', async () => {
  const host = await openHost({ wait: true, rules: [{ name: 'look', decision: 'ask', tools: ['run_code'] }] })
  const code =
    "import os\nname = '.git' + 'hub'\nos.makedirs(name + '/workflows')\nopen(name + '/workflows/ci.yml', 'w').write('run: x')\n"
  const calling = host.call('run_code', { language: 'python', code })
  const first = await openRequest(host)
  await host.approvals.answer(first.request.approval, { approved: true })
  const second = await openRequest(host)
  expect([first.request.hasRun, second.request.hasRun]).toEqual([undefined, true])
  expect(await host.approvals.list()).toHaveLength(1)
  const changed = { approved: true, modifiedArgs: { language: 'bash', code: 'true' } } as const
  expect(await host.approvals.answer(second.request.approval, changed)).toMatchObject({ code: 'INVALID_ARGUMENTS' })
  await host.approvals.answer(second.request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: true })
})

test('secrets in the changed files are masked in the approval request and the log', async () => {
  const host = await openHost({ wait: true })
  const token = `ghp_${'a1B2'.repeat(9)}`
  const calling = host.call('run_code', {
    language: 'bash',
    code: `printf "token=%s%s\\n" ghp_ ${token.slice(4)} > .npmrc`,
  })
  const { request } = await openRequest(host)
  expect(JSON.stringify(request)).not.toContain(token)
  await host.approvals.answer(request.approval, { approved: true })
  await calling
  expect(JSON.stringify(await host.log.read())).not.toContain(token)
  expect(readFileSync(join(host.workspace, '.npmrc'), 'utf8')).toBe(`token=${token}\n`)
})

test('what a diff cannot show is named: binary files, links, modes, large files', async () => {
  const host = await openHost({ wait: true })
  mkdirSync(join(host.workspace, '.husky'))
  writeFileSync(join(host.workspace, '.husky/hook'), 'same\n', { mode: 0o644 })
  writeFileSync(join(host.workspace, '.husky/gone'), 'gone\n')
  const code = [
    'cd .husky; chmod 755 hook; rm gone; printf "\\0\\1" > binary; ln -s ../x link',
    'head -c 2000000 /dev/zero | tr "\\0" x > large; seq 20000 > long; printf "#!" > run; chmod 700 run',
  ].join('\n')
  const calling = host.call('run_code', { language: 'bash', code })
  const { request } = await openRequest(host)
  const text = request.preview?.text ?? ''
  expect(text).toContain('+++ .husky/binary\n(nothing → 2 bytes, binary)')
  expect(text).toContain('--- .husky/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n')
  expect(text).toContain('(the same text)\n(mode 644 → 755)\n')
  expect(text).toContain('(nothing → 2000000 bytes, too large to compare)')
  expect(text).toContain('(nothing → a link to ../x)')
  expect(text).toMatch(/… and \d+ more lines of it that are not shown\n/)
  expect(text).toContain('(mode 700)')
  expect(text.length).toBeLessThan(30_000)
  await host.approvals.answer(request.approval, { approved: false })
  await calling
})

test('haft call: --yes answers it, nobody at the terminal is a no', async () => {
  const program = buildProgram()
  const args = ['call', 'run_code', JSON.stringify(CALL)]
  expect(await haft(program, args)).toMatchObject({ code: 3, stderr: expect.stringContaining('nobody to ask') })
  expect(readdirSync(program.workspace)).toEqual([])
  expect(await haft(program, [...args, '--yes'])).toMatchObject({ code: 0 })
  expect(readdirSync(program.workspace).sort()).toEqual(['.github', 'other'])
})

test('the prompt shows what the command printed and the diff, offers yes and no, and applies on yes', async () => {
  const program = buildProgram()
  const args = JSON.stringify({ language: 'bash', code: 'echo printed; echo "use flake" > .envrc' })
  const terminal = openTerminal([process.execPath, program.main, 'call', 'run_code', args], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
  })
  const screen = await terminal.waitFor(/\[y\]es \[n\]o ›/)
  expect(screen).toContain('? run_code has run: it changed files that other programs execute or trust')
  expect(screen).toMatch(/^printed$/m)
  expect(screen).toContain('+use flake')
  expect(readdirSync(program.workspace)).toEqual([])
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(readFileSync(join(program.workspace, '.envrc'), 'utf8')).toBe('use flake\n')
})

test('a tool that runs several commands at once is asked about one after another', async () => {
  const twice = defineTool({
    name: 'run_twice',
    description: 'Runs two commands at once',
    input: objectSchema({}),
    effect: 'run',
    approval: false,
    async execute(_input, { run }) {
      await Promise.all(['.envrc', '.npmrc'].map((path) => run({ argv: ['bash', '-c', `echo x > ${path}`] })))
      return 'done'
    },
  })
  const host = await openHost({ wait: true, tools: [twice] })
  const calling = host.call('run_twice', {})
  for (const _ of ['first', 'second']) {
    const { request } = await openRequest(host)
    expect(await host.approvals.list()).toHaveLength(1)
    await host.approvals.answer(request.approval, { approved: true })
    await expect
      .poll(async () =>
        (await host.approvals.list()).some(({ request: { approval } }) => approval === request.approval),
      )
      .toBe(false)
  }
  expect(await calling).toMatchObject({ ok: true })
  expect(readdirSync(host.workspace).sort()).toEqual(['.envrc', '.npmrc', 'old'])
})

/** Kills the process that asks once others see its request, and returns the id of that. */
async function killWhileAsking(program: BuiltProgram): Promise<string> {
  const asked = Promise.withResolvers<{ approval: string; kill(signal: NodeJS.Signals): void }>()
  const running = haft(program, ['call', 'run_code', JSON.stringify(CALL), '--wait'], {
    onStderr(text, kill) {
      const approval = /haft approvals (a_\S+)/.exec(text)?.[1]
      if (approval !== undefined) asked.resolve({ approval, kill })
    },
  })
  const { approval, kill } = await asked.promise
  // The person reads of it a moment before it is committed.
  await expect
    .poll(async () => (await haft(program, ['approvals', '--json'])).stdout, { timeout: 10_000 })
    .toContain(approval)
  kill('SIGKILL')
  await running
  return approval
}

test('kill -9 while the person thinks: a later yes applies what the command changed, without running it again', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'old'), 'old\n')
  const approval = await killWhileAsking(program)
  expect(readdirSync(program.workspace)).toEqual(['old'])
  expect((await haft(program, ['approvals', '--json'])).stdout).toContain(approval)
  expect(await haft(program, ['approvals', approval, 'yes'])).toMatchObject({ code: 0 })
  expect(readdirSync(program.workspace).sort()).toEqual(['.github', 'other'])
  expect(await haft(program, ['undo', '--yes'])).toMatchObject({ code: 0 })
  expect(readdirSync(program.workspace)).toEqual(['old'])
  await expectNothingLeft(program.home)
})

test('kill -9 while the person thinks: a later no discards it, and nothing is left', async () => {
  const program = buildProgram()
  const approval = await killWhileAsking(program)
  await haft(program, ['approvals', approval, 'no'])
  expect(readdirSync(program.workspace)).toEqual([])
  expect((await haft(program, ['log', '--json'])).stdout).toContain('DENIED')
  await expectNothingLeft(program.home)
})

test('kill -9 while the person thinks: a file that changed meanwhile is a CONFLICT, and nothing is applied', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'old'), 'old\n')
  const approval = await killWhileAsking(program)
  writeFileSync(join(program.workspace, 'old'), 'newer\n')
  const answered = await haft(program, ['approvals', approval, 'yes'])
  expect(answered).toMatchObject({ code: 1 })
  expect(`${answered.stdout}${answered.stderr}`).toContain('old')
  expect(readdirSync(program.workspace)).toEqual(['old'])
  expect(readFileSync(join(program.workspace, 'old'), 'utf8')).toBe('newer\n')
  await expectNothingLeft(program.home)
})

test('kill -9 while the person thinks: once its time is over, the next start discards it', async () => {
  const program = buildProgram()
  mkdirSync(program.home, { mode: 0o700 })
  writeFileSync(join(program.home, 'settings.toml'), '[approvals]\nexpire_minutes = 0.1\n')
  const approval = await killWhileAsking(program)
  await expect
    .poll(async () => (await haft(program, ['approvals', '--json'])).stdout.includes(approval), { timeout: 10_000 })
    .toBe(false)
  await haft(program, ['call', 'run_code', JSON.stringify({ language: 'bash', code: 'true' })])
  expect(readdirSync(program.workspace)).toEqual([])
  await expectNothingLeft(program.home)
})

test('at a terminal the running call is shown again after a request in the middle of the run was answered', async () => {
  const program = buildProgram()
  writeFileSync(
    join(program.tools, 'run-and-wait.js'),
    `export default {
      name: 'run_and_wait',
      description: 'Runs a command, then waits.',
      input: { type: 'object', properties: {} },
      effect: 'run',
      approval: () => false,
      touches: () => [],
      async execute(_, { run, signal }) {
        await run({ argv: ['bash', '-c', 'echo x > .envrc'] })
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    }`,
  )
  const terminal = openTerminal([process.execPath, program.main, 'call', 'run_and_wait'], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
  })
  await terminal.waitFor(/\[y\]es \[n\]o/)
  terminal.press('y', 'Enter')
  await terminal.waitFor(/› y\n+\S running \d/)
  terminal.press('C-c')
  await terminal.waitFor(/exit=130/)
})
