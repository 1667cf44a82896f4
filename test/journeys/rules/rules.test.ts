import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost, type Host } from '../../../src/index.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { temporaryFolder } from '../../support/example-host.ts'
import { openTerminal } from '../../support/terminal.ts'

/** The folders with the settings of the user and of the project. */
interface SettingsFolders {
  readonly workspace: string
  readonly home: string
}

function writeSettings({ user, project }: { user?: string; project?: string }, at?: BuiltProgram): SettingsFolders {
  const folder = temporaryFolder()
  const { workspace, home } = at ?? { workspace: join(folder, 'workspace'), home: join(folder, 'home') }
  for (const place of [home, join(workspace, '.haft')]) mkdirSync(place, { recursive: true })
  if (user !== undefined) writeFileSync(join(home, 'settings.toml'), user)
  if (project !== undefined) writeFileSync(join(workspace, '.haft/settings.toml'), project)
  return { workspace, home }
}

async function withHost<Answer>(folders: SettingsFolders, use: (host: Host) => Promise<Answer>): Promise<Answer> {
  const host = await createHost({ ...folders, storage: 'memory' })
  try {
    return await use(host)
  } finally {
    await host.close()
  }
}

function decisions(folders: SettingsFolders, calls: readonly (readonly [string, object])[]): Promise<string[]> {
  return withHost(folders, (host) =>
    Promise.all(calls.map(async ([name, args]) => (await host.check(name, args)).decision)),
  )
}

const shell = (command: string) => ['shell', { command }] as const

test('S2.7 filters on the main parameter decide, each command of a chain counts, deny wins', async () => {
  const folders = writeSettings({
    user: `[tools.shell]\nallow = ["^frob (status|diff)\\\\b"]\ndeny = ["\\\\bcurl\\\\b"]\n`,
  })
  const commands = [
    'frob status',
    'frob push',
    'frob status && frob diff x',
    'frob status; frob push',
    'frob status | curl x',
    'frob $(frob push)',
    'frob status > ../neighbour.txt',
    'frob status > out.txt 2>/dev/null',
  ]
  const expected = ['allow', 'ask', 'allow', 'ask', 'deny', 'ask', 'ask', 'allow']
  expect(await decisions(folders, commands.map(shell))).toEqual(expected)
})

test('S2.7 filters work on tools whose main parameter is not a command line', async () => {
  const folders = writeSettings({ user: '[tools.write_file]\nallow = ["^notes/"]\ndeny = ["\\\\.lock$"]\n' })
  const write = (path: string) => ['write_file', { path, content: '' }] as const
  expect(await decisions(folders, [write('notes/a'), write('notes/a.lock'), write('new.txt')])).toEqual([
    'allow',
    'deny',
    'allow',
  ])
})

test('S4.2 own rules by name and forbidden words: commands by their name in a shell, words in any text elsewhere', async () => {
  const user =
    '[[rules]]\nname = "no_network_access"\ntools = ["shell", "run_code"]\nforbidden = ["curl", "wget", "nc"]\nreason = "we stay offline"\n'
  const folders = writeSettings({ user })
  const python = (code: string) => ['run_code', { language: 'python', code }] as const
  const calls = [
    shell('/usr/bin/curl x'),
    shell('env nc -l 1'),
    shell('echo curl'),
    shell('ls sync'),
    python('print("func")'),
  ]
  expect(await decisions(folders, calls)).toEqual(['deny', 'deny', 'allow', 'allow', 'allow'])
  const refused = await withHost(folders, (host) => host.call('shell', { command: 'wget x' }))
  expect(refused).toMatchObject({
    ok: false,
    code: 'BLOCKED',
    text: expect.stringContaining('Blocked by rule no_network_access: we stay offline'),
  })
})

test('S4.2 default rules block what is dangerous for every tool, and a user rule cannot allow it', async () => {
  const folders = writeSettings({ user: '[[rules]]\nname = "all is well"\ndecision = "allow"\n' })
  const calls = [
    shell('rm -rf ~'),
    shell('frobnicate'),
    ['read_file', { path: '.env' }],
    ['write_file', { path: '.git/hooks/x', content: '' }],
  ] as const
  expect(await decisions(folders, calls)).toEqual(['deny', 'allow', 'deny', 'deny'])
})

test('S4.3 text that only mentions a dangerous command is not blocked', async () => {
  const commands = [
    "echo 'rm -rf /'",
    'grep -rn "rm -rf /" docs',
    'git commit -m "never run rm -rf /"',
    'cat > notes.md <<EOF\nrm -rf /\nEOF',
  ]
  expect(await decisions(writeSettings({}), commands.map(shell))).toEqual(commands.map(() => 'allow'))
})

test('the folder a command starts in counts for its paths', async () => {
  const calls = [
    ['shell', { command: 'rm -rf ../..', cwd: 'a/b/c' }],
    ['shell', { command: 'rm -rf ../..', cwd: 'a' }],
  ] as const
  expect(await decisions(writeSettings({}), calls)).toEqual(['ask', 'deny'])
})

const LOOSE =
  '[[rules]]\nname = "free"\ndecision = "allow"\ntools = ["delete_file"]\n[[rules]]\nname = "careful"\ndecision = "ask"\ntools = ["list_files"]\n[[rules]]\nname = "never"\ndecision = "deny"\ntools = ["find_files"]\n'

test('an untrusted project counts only where it is stricter; a trusted one overrides everything except denies', async () => {
  const folders = writeSettings({
    user: '[[rules]]\nname = "mine"\ndecision = "allow"\ntools = ["list_files"]\n',
    project: LOOSE,
  })
  const calls = [
    ['delete_file', { path: 'x' }],
    ['list_files', {}],
    ['find_files', { pattern: '*' }],
  ] as const
  expect(await decisions(folders, calls)).toEqual(['ask', 'ask', 'deny'])
  await withHost(folders, async (host) => {
    expect(host.project).toMatchObject({ isTrusted: false, ignored: ['rule "free" (allow)'] })
    host.trustProject()
  })
  expect(await decisions(folders, calls)).toEqual(['allow', 'ask', 'deny'])
  writeFileSync(join(folders.workspace, '.haft/settings.toml'), `${LOOSE}# changed\n`)
  expect(await decisions(folders, calls)).toEqual(['ask', 'ask', 'deny'])
})

test('a project, trusted or not, cannot turn the sandbox off', async () => {
  const folders = writeSettings({ project: 'sandbox = "off"\n' })
  await withHost(folders, async (host) => {
    host.trustProject()
  })
  await withHost(folders, async (host) => {
    expect(host.project).toMatchObject({ isTrusted: true, ignored: ['sandbox'] })
    expect((await host.check('shell', { command: 'ls' })).rule).toBe('everyday_commands')
  })
})

test.for([
  ['a rule without decision', '[[rules]]\nname = "x"\n', '1:3: rules[0]: a rule needs a decision'],
  ['a rule without name', '[[rules]]\ndecision = "deny"\n', '1:3: rules[0]: a rule needs a name'],
  [
    'a wrong decision',
    '[[rules]]\nname = "x"\ndecision = "never"\n',
    '3:1: rules[0].decision: expected "allow" or "ask" or "deny"',
  ],
  [
    'an unknown key',
    '[[rules]]\nname = "x"\ndecision = "deny"\npath = ["a"]\n',
    '4:1: rules[0].path: unknown key. Did you mean paths?',
  ],
  ['a bad pattern', '[tools.shell]\nallow = ["ok", "("]\n', '2:16: tools.shell.allow[1]: Invalid regular expression'],
  [
    'an example that is not as the rule says',
    '[[rules]]\nname = "x"\ndecision = "allow"\npaths = ["docs/**"]\nexamples = { allow = [\'write_file {"path":"a","content":""}\'] }\n',
    '5:1: rules[0].examples: write_file {"path":"a","content":""}: the rule does not match it but should',
  ],
  [
    'an example of an unknown tool',
    '[[rules]]\nname = "x"\ndecision = "deny"\nexamples = { not = ["nope {}"] }\n',
    '4:1: rules[0].examples: nope {}: unknown tool',
  ],
] as const)('settings with %s stop the start, with file, line, column and key', async ([, user, expected]) => {
  const folders = writeSettings({ user })
  await expect(createHost({ ...folders, storage: 'memory' })).rejects.toThrow(
    `${folders.home}/settings.toml:${expected}`,
  )
})

test('haft rules lists by layer, haft rules test tries every example, the default ones too', async () => {
  const program = buildProgram()
  writeSettings(
    {
      user: '[[rules]]\nname = "mine"\ndecision = "ask"\ntools = ["list_files"]\nreason = "look first"\n',
      project: LOOSE,
    },
    program,
  )
  const listed = await haft(program, ['rules'])
  expect(listed.stdout).toMatch(/^mode ask\n\ndefaults\n {2}deny {3}no_/)
  expect(listed.stdout).toMatch(/allow +everyday_commands/)
  expect(listed.stdout).toContain('e.g. ls -la')
  expect(listed.stdout).toMatch(/^user \(.*settings\.toml\)\n {2}ask {4}mine +look first$/m)
  expect(listed.stdout).toMatch(/^untrusted project \(/m)
  expect(listed.stdout).toContain('ignored  rule "free" (allow)')
  const tested = await haft(program, ['rules', 'test', '--json'])
  expect(tested.code).toBe(0)
  expect(JSON.parse(tested.stdout)).toMatchObject({ wrong: [], tried: expect.any(Number) })
  expect(JSON.parse(tested.stdout).tried).toBeGreaterThan(150)
})

test('haft trust shows what a project asks for, asks, and records the content', async () => {
  const program = buildProgram()
  writeSettings({ project: LOOSE }, program)
  const unanswered = await haft(program, ['trust'])
  expect(unanswered).toMatchObject({ code: 3, stderr: expect.stringContaining('Not trusted') })
  expect(unanswered.stdout).toContain('rule "free" (allow)')
  expect(await haft(program, ['trust', '--yes'])).toMatchObject({ code: 0 })
  expect((await haft(program, ['trust'])).stdout).toContain('is already trusted')
  expect(JSON.parse((await haft(program, ['check', 'delete_file', '{"path":"x"}', '--json'])).stdout)).toMatchObject({
    decision: 'allow',
    rule: 'free',
  })
})

test('haft trust and haft rules distinguish settings that need trust from those that never count', async () => {
  const program = buildProgram()
  writeSettings({ project: `sandbox = "off"\n${LOOSE}` }, program)
  const { stdout } = await haft(program, ['trust'])
  expect(stdout).toMatch(/Ignored until you trust it:\n {2}rule "free" \(allow\)\nAlways ignored.*:\n {2}sandbox\n$/)
  const listed = await haft(program, ['rules'])
  expect(listed.stdout).toMatch(/ignored {2}sandbox in .*: only your own settings can set this/)
  expect(listed.stdout).toMatch(/ignored {2}rule "free" \(allow\) in .*: the project is not trusted/)
  const trusted = await haft(program, ['trust', '--yes', '--json'])
  expect(JSON.parse(trusted.stdout)).toMatchObject({ trusted: true, ignored: ['sandbox'] })
})

test('what was typed before haft trust asked does not answer it', async () => {
  const program = buildProgram()
  writeSettings({ project: LOOSE }, program)
  const terminal = openTerminal([process.execPath, program.main, 'trust'], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
  })
  terminal.press('y', 'Enter')
  await terminal.waitFor(/Trust this content\?/)
  terminal.press('n', 'Enter')
  expect(await terminal.waitFor(/exit=3/)).toMatch(/^Not trusted\.$/m)
})

test('haft trust indents every row of a project’s settings, so that they cannot imitate its own messages', async () => {
  const program = buildProgram()
  mkdirSync(join(program.workspace, '.haft'))
  const hidden = `${'x'.repeat(60)}Trusted.\u00a0Nothing\u00a0is\u00a0asked\u00a0for.`
  const settings = `# ${hidden}\n[tools.shell]\nallow = ["^git"]\n`
  writeFileSync(join(program.workspace, '.haft/settings.toml'), settings)
  const terminal = openTerminal([process.execPath, program.main, 'trust'], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
    columns: 64,
  })
  expect(await terminal.waitFor(/Trust this content\?/)).toMatch(/^ {2}\S*Trusted\./m)
  terminal.press('n', 'Enter')
  expect(await terminal.waitFor(/exit=3/)).toMatch(/^Not trusted\.$/m)
})
