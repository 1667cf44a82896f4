import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost, type Host } from '../../src/index.ts'
import { temporaryFolder } from '../support/example-host.ts'
import { buildHouse, type House, haft } from '../support/house.ts'
import { openTerminal } from '../support/terminal.ts'

/** Where the settings of the user and of the project lie. */
interface Furnished {
  readonly workspace: string
  readonly home: string
}

function furnish({ user, project }: { user?: string; project?: string }, at?: House): Furnished {
  const folder = temporaryFolder()
  const { workspace, home } = at ?? { workspace: join(folder, 'workspace'), home: join(folder, 'home') }
  for (const place of [home, join(workspace, '.haft')]) mkdirSync(place, { recursive: true })
  if (user !== undefined) writeFileSync(join(home, 'settings.toml'), user)
  if (project !== undefined) writeFileSync(join(workspace, '.haft/settings.toml'), project)
  return { workspace, home }
}

async function withHost<Answer>(furnished: Furnished, use: (host: Host) => Promise<Answer>): Promise<Answer> {
  const host = await createHost({ ...furnished, storage: 'memory' })
  try {
    return await use(host)
  } finally {
    await host.close()
  }
}

function decisions(furnished: Furnished, calls: readonly (readonly [string, object])[]): Promise<string[]> {
  return withHost(furnished, (host) =>
    Promise.all(calls.map(async ([name, args]) => (await host.check(name, args)).decision)),
  )
}

const shell = (command: string) => ['shell', { command }] as const

test('S2.7 filters on the main parameter settle the question, each command of a chain counts, deny wins', async () => {
  const furnished = furnish({
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
  expect(await decisions(furnished, commands.map(shell))).toEqual(expected)
})

test('S2.7 filters work on tools whose main parameter is no command line', async () => {
  const furnished = furnish({ user: '[tools.write_file]\nallow = ["^notes/"]\ndeny = ["\\\\.lock$"]\n' })
  const write = (path: string) => ['write_file', { path, content: '' }] as const
  expect(await decisions(furnished, [write('notes/a'), write('notes/a.lock'), write('new.txt')])).toEqual([
    'allow',
    'deny',
    'allow',
  ])
})

test('S4.2 own rules by name and forbidden words: commands by their name in a shell, words in any text elsewhere', async () => {
  const user =
    '[[rules]]\nname = "no_network_access"\ntools = ["shell", "run_code"]\nforbidden = ["curl", "wget", "nc"]\nreason = "we stay offline"\n'
  const furnished = furnish({ user })
  const python = (code: string) => ['run_code', { language: 'python', code }] as const
  const calls = [
    shell('/usr/bin/curl x'),
    shell('env nc -l 1'),
    shell('echo curl'),
    shell('ls sync'),
    python('print("func")'),
  ]
  expect(await decisions(furnished, calls)).toEqual(['deny', 'deny', 'allow', 'allow', 'allow'])
  const refused = await withHost(furnished, (host) => host.call('shell', { command: 'wget x' }))
  expect(refused).toMatchObject({
    ok: false,
    code: 'BLOCKED',
    text: expect.stringContaining('rule "no_network_access": we stay offline'),
  })
})

test('S4.2 default rules block what is dangerous for every tool, and a user rule cannot allow it', async () => {
  const furnished = furnish({ user: '[[rules]]\nname = "all is well"\ndecision = "allow"\n' })
  const calls = [
    shell('rm -rf ~'),
    shell('frobnicate'),
    ['read_file', { path: '.env' }],
    ['write_file', { path: '.git/hooks/x', content: '' }],
  ] as const
  expect(await decisions(furnished, calls)).toEqual(['deny', 'allow', 'deny', 'deny'])
})

test('S4.3 text that only mentions a dangerous command is not blocked', async () => {
  const commands = [
    "echo 'rm -rf /'",
    'grep -rn "rm -rf /" docs',
    'git commit -m "never run rm -rf /"',
    'cat > notes.md <<EOF\nrm -rf /\nEOF',
  ]
  expect(await decisions(furnish({}), commands.map(shell))).toEqual(commands.map(() => 'allow'))
})

test('the folder a command starts in counts for its paths', async () => {
  const calls = [
    ['shell', { command: 'rm -rf ../..', cwd: 'a/b/c' }],
    ['shell', { command: 'rm -rf ../..', cwd: 'a' }],
  ] as const
  expect(await decisions(furnish({}), calls)).toEqual(['ask', 'deny'])
})

const LOOSE =
  '[[rules]]\nname = "free"\ndecision = "allow"\ntools = ["delete_file"]\n[[rules]]\nname = "careful"\ndecision = "ask"\ntools = ["list_files"]\n[[rules]]\nname = "never"\ndecision = "deny"\ntools = ["find_files"]\n'

test('an untrusted project counts only where it is stricter; trusted, it has the last word but over denies', async () => {
  const furnished = furnish({
    user: '[[rules]]\nname = "mine"\ndecision = "allow"\ntools = ["list_files"]\n',
    project: LOOSE,
  })
  const calls = [
    ['delete_file', { path: 'x' }],
    ['list_files', {}],
    ['find_files', { pattern: '*' }],
  ] as const
  expect(await decisions(furnished, calls)).toEqual(['ask', 'ask', 'deny'])
  await withHost(furnished, async (host) => {
    expect(host.project).toMatchObject({ isTrusted: false, ignored: ['rule "free" (allow)'] })
    host.trustProject()
  })
  expect(await decisions(furnished, calls)).toEqual(['allow', 'ask', 'deny'])
  writeFileSync(join(furnished.workspace, '.haft/settings.toml'), `${LOOSE}# changed\n`)
  expect(await decisions(furnished, calls)).toEqual(['ask', 'ask', 'deny'])
})

test('a project, trusted or not, cannot turn the sandbox off', async () => {
  const furnished = furnish({ project: 'sandbox = "off"\n' })
  await withHost(furnished, async (host) => {
    host.trustProject()
  })
  await withHost(furnished, async (host) => {
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
    '5:1: rules[0].examples: write_file {"path":"a","content":""}: the rule does not speak of it and should',
  ],
  [
    'an example of an unknown tool',
    '[[rules]]\nname = "x"\ndecision = "deny"\nexamples = { not = ["nope {}"] }\n',
    '4:1: rules[0].examples: nope {}: unknown tool',
  ],
] as const)('settings with %s stop the start, with file, line, column and key', async ([, user, expected]) => {
  const furnished = furnish({ user })
  await expect(createHost({ ...furnished, storage: 'memory' })).rejects.toThrow(
    `${furnished.home}/settings.toml:${expected}`,
  )
})

test('haft rules lists by layer, haft rules test tries every example, the default ones too', async () => {
  const house = buildHouse()
  furnish(
    {
      user: '[[rules]]\nname = "mine"\ndecision = "ask"\ntools = ["list_files"]\nreason = "look first"\n',
      project: LOOSE,
    },
    house,
  )
  const listed = await haft(house, ['rules'])
  expect(listed.stdout).toMatch(/^mode ask\n\ndefaults\n {2}deny {3}no_/)
  expect(listed.stdout).toMatch(/allow +everyday_commands/)
  expect(listed.stdout).toContain('e.g. ls -la')
  expect(listed.stdout).toMatch(/^user \(.*settings\.toml\)\n {2}ask {4}mine +look first$/m)
  expect(listed.stdout).toMatch(/^untrusted project \(/m)
  expect(listed.stdout).toContain('ignored  rule "free" (allow)')
  const tested = await haft(house, ['rules', 'test', '--json'])
  expect(tested.code).toBe(0)
  expect(JSON.parse(tested.stdout)).toMatchObject({ wrong: [], tried: expect.any(Number) })
  expect(JSON.parse(tested.stdout).tried).toBeGreaterThan(150)
})

test('haft trust shows what a project asks for, asks, and records the content', async () => {
  const house = buildHouse()
  furnish({ project: LOOSE }, house)
  const unanswered = await haft(house, ['trust'])
  expect(unanswered).toMatchObject({ code: 3, stderr: expect.stringContaining('Not trusted') })
  expect(unanswered.stdout).toContain('rule "free" (allow)')
  expect(await haft(house, ['trust', '--yes'])).toMatchObject({ code: 0 })
  expect((await haft(house, ['trust'])).stdout).toContain('is already trusted')
  expect(JSON.parse((await haft(house, ['check', 'delete_file', '{"path":"x"}', '--json'])).stdout)).toMatchObject({
    decision: 'allow',
    rule: 'free',
  })
})

test('haft trust and haft rules tell what waits for trust from what never counts', async () => {
  const house = buildHouse()
  furnish({ project: `sandbox = "off"\n${LOOSE}` }, house)
  const { stdout } = await haft(house, ['trust'])
  expect(stdout).toMatch(/Ignored until you trust it:\n {2}rule "free" \(allow\)\nAlways ignored.*:\n {2}sandbox\n$/)
  const listed = await haft(house, ['rules'])
  expect(listed.stdout).toMatch(/ignored {2}sandbox in .*: only your own settings can set this/)
  expect(listed.stdout).toMatch(/ignored {2}rule "free" \(allow\) in .*: the project is not trusted/)
  const trusted = await haft(house, ['trust', '--yes', '--json'])
  expect(JSON.parse(trusted.stdout)).toMatchObject({ trusted: true, ignored: ['sandbox'] })
})

test('what was typed before haft trust asked does not answer it', async () => {
  const house = buildHouse()
  furnish({ project: LOOSE }, house)
  const terminal = openTerminal([process.execPath, house.main, 'trust'], {
    cwd: house.workspace,
    env: { HAFT_HOME: house.home },
  })
  terminal.press('y', 'Enter')
  await terminal.waitFor(/Trust this content\?/)
  terminal.press('n', 'Enter')
  expect(await terminal.waitFor(/exit=3/)).toMatch(/^Not trusted\.$/m)
})

test('haft trust shows a project nothing that could pass for a word of its own: every row of it is indented', async () => {
  const house = buildHouse()
  mkdirSync(join(house.workspace, '.haft'))
  const hidden = `${'x'.repeat(60)}Trusted.\u00a0Nothing\u00a0is\u00a0asked\u00a0for.`
  const settings = `# ${hidden}\n[tools.shell]\nallow = ["^git"]\n`
  writeFileSync(join(house.workspace, '.haft/settings.toml'), settings)
  const terminal = openTerminal([process.execPath, house.main, 'trust'], {
    cwd: house.workspace,
    env: { HAFT_HOME: house.home },
    columns: 64,
  })
  expect(await terminal.waitFor(/Trust this content\?/)).toMatch(/^ {2}\S*Trusted\./m)
  terminal.press('n', 'Enter')
  expect(await terminal.waitFor(/exit=3/)).toMatch(/^Not trusted\.$/m)
})
