import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHost, type Host } from '../../src/index.ts'
import { temporaryFolder } from '../support/example-host.ts'

/** Opens a host on a cloned project with these settings. */
async function openProject(settings: string): Promise<Host> {
  const folder = temporaryFolder()
  const workspace = join(folder, 'cloned')
  mkdirSync(join(workspace, '.haft'), { recursive: true })
  writeFileSync(join(workspace, '.haft/settings.toml'), settings)
  const host = await createHost({ workspace, home: join(folder, 'home'), storage: 'memory' })
  onTestFinished(() => host.close())
  return host
}

const rule = (member: string) => `[[rules]]\nname = "slow"\ndecision = "deny"\n${member}\n`
const LONG = `echo ${'aaaa '.repeat(2_000)}!`

// With backtracking none of these ends within the time of a test.
test.for([
  ['a filter', '[tools.shell]\ndeny = ["^(\\\\w+\\\\s?)+$"]\n'],
  ['a pattern on commands', rule('commands = ["^(\\\\w+\\\\s?)+$"]')],
  ['a pattern on an argument', rule('arguments = { command = "^(a|aa|[^!])+$" }')],
  ['a pattern on the main parameter', rule('main = ["(x*)*(\\\\w*)*(\\\\s*\\\\w*)*$#"]')],
  ['many optional parts', rule(`commands = ["${'a?'.repeat(60)}${'a'.repeat(60)}$"]`)],
] as const)('S2.7 a project with %s that backtracks does not hang a check', async ([, settings]) => {
  const host = await openProject(settings)
  expect((await host.check('shell', { command: LONG })).decision).toMatch(/allow|ask|deny/)
})

test('a forbidden pattern of a project that backtracks does not hang a check', async () => {
  const host = await openProject(rule('tools = "write_file"\nforbidden = ["(\\\\w+\\\\s?)+$#"]'))
  const report = await host.check('write_file', { path: 'a.txt', content: 'a '.repeat(20_000) })
  expect(report.decision).toBe('allow')
})

test('patterns of a project mean what they mean in JavaScript', async () => {
  const host = await openProject(
    `${rule('tools = "shell"\ncommands = ["^deploy (?<where>prod|live)\\\\b", "\\\\u0041BC$"]')}${rule('forbidden = ["npm.cmd"]')}`,
  )
  const decide = async (command: string) => (await host.check('shell', { command })).decision
  expect(await decide('deploy prod now')).toBe('deny')
  expect(await decide('deploy production')).toBe('ask')
  expect(await decide('echo ABC')).toBe('deny')
  expect(await decide('npm.cmd x')).toBe('deny')
  expect(await decide('echo npm.cmd.bak')).toBe('allow')
})

test('a project may have many patterns in one rule', async () => {
  const words = Array.from({ length: 300 }, (_, index) => `"^forbidden-command-${index}\\\\b"`)
  const host = await openProject(rule(`commands = [${words.join(', ')}]`))
  expect((await host.check('shell', { command: 'forbidden-command-299 x' })).decision).toBe('deny')
})

test.for([
  [
    'look-ahead',
    '[tools.shell]\ndeny = ["ok", "a(?=b)"]\n',
    '2:15: tools.shell.deny[1]: "a(?=b)" cannot be used',
    'look-around',
  ],
  ['look-behind', rule('commands = ["(?<!x)b"]'), '4:13: rules[0].commands[0]: "(?<!x)b" cannot', 'look-around'],
  [
    'a back reference',
    rule('arguments = { command = "(a)\\\\1" }'),
    '4:15: rules[0].arguments.command',
    'a back reference',
  ],
  ['a named back reference', rule('main = "(?<n>a)\\\\k<n>"'), '4:1: rules[0].main[0]', 'a back reference'],
  [
    'too much',
    rule(`commands = ["${'(?:[a-z]{1,100}x){1,10}'.repeat(5)}"]`),
    '4:13: rules[0].commands[0]',
    'too large',
  ],
] as const)('a project whose pattern has %s is refused with the place', async ([, settings, place, why]) => {
  const opening = openProject(settings)
  await expect(opening).rejects.toThrow(`.haft/settings.toml:${place}`)
  await expect(opening).rejects.toThrow(why)
})

test.for([
  ['a*a*a*a*a*a*b', 'stars'],
  ['src/*a*b*c*d', 'stars'],
  ['{1..100000}', 'range'],
  ['{a,b}{a,b}{a,b}{a,b}', 'braces'],
  ['+(a|aa)+(a|aa)b', 'parentheses'],
  ['x'.repeat(501), 'characters'],
] as const)(
  'a path pattern of a project that takes long to match is refused with the place: %s',
  async ([glob, why]) => {
    const opening = openProject(rule(`paths = ["docs/**/*.{md,txt}", "${glob}"]`))
    await expect(opening).rejects.toThrow('.haft/settings.toml:4:32: rules[0].paths[1]')
    await expect(opening).rejects.toThrow(why)
  },
)
