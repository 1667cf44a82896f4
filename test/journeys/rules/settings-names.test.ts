import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createHost, defineTool, objectSchema, optional, string } from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { temporaryFolder } from '../../support/example-host.ts'

/** What a start with these settings throws, without the path of the file; undefined where it starts. */
async function problemOf(
  settings: string,
  options: Parameters<typeof createHost>[0] = {},
): Promise<string | undefined> {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), settings)
  try {
    const host = await createHost({ workspace: temporaryFolder(), home, storage: 'memory', ...options })
    await host.close()
    return undefined
  } catch (thrown) {
    return String(thrown).replaceAll(`${home}/settings.toml:`, '').replace('SettingsError: ', '')
  }
}

const RULE = '[[rules]]\nname = "r"\ndecision = "ask"\n'

test.for([
  ['a filter', '[tools.shel]\ndeny = ["x"]\n', '1:2: tools.shel: there is no such tool. Did you mean shell?'],
  [
    'a filter with two lists',
    '\n[tools.shel]\nallow = ["a"]\ndeny = ["b"]\n',
    '2:2: tools.shel: there is no such tool. Did you mean shell?',
  ],
  [
    'an inline filter',
    'tools = { shel = { deny = "x" } }',
    '1:11: tools.shel: there is no such tool. Did you mean shell?',
  ],
  [
    'a filter near an alias',
    '[tools.list_file]\ndeny = ["x"]\n',
    '1:2: tools.list_file: there is no such tool. Did you mean list_directory?',
  ],
  [
    'a filter with a dot',
    '[tools."my.shel"]\ndeny = ["x"]\n',
    '1:2: tools.my.shel: there is no such tool. Did you mean shell?',
  ],
  [
    'a rule',
    `${RULE}tools = ["shell", "raed_file"]\n`,
    '4:19: rules[0].tools[1]: there is no such tool. Did you mean read_file?',
  ],
  [
    'a rule with one tool',
    `${RULE}tools = "shel"\n`,
    '4:1: rules[0].tools[0]: there is no such tool. Did you mean shell?',
  ],
] as const)(
  '%s that names an unknown tool stops the start, with line, column and the nearest name',
  async ([, text, expected]) => {
    expect(await problemOf(text)).toBe(expected)
  },
)

test('a name like no other is answered with the tools there are', async () => {
  expect(await problemOf('[tools.zebra]\ndeny = ["x"]\n')).toMatch(
    /^1:2: tools\.zebra: there is no such tool\. There is .*list_directory.*shell/,
  )
})

test('every unknown name of a file is told at once, and a project is held to the same', async () => {
  const text = `[tools.shel]\ndeny = ["x"]\n${RULE}tools = ["nope_nope_nope"]\n`
  expect((await problemOf(text))?.split('\n')).toHaveLength(2)
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, '.haft'))
  writeFileSync(join(workspace, '.haft/settings.toml'), '[tools.shel]\ndeny = ["x"]\n')
  await expect(createHost({ workspace, storage: 'memory' })).rejects.toThrow(
    `${workspace}/.haft/settings.toml:1:2: tools.shel: there is no such tool. Did you mean shell?`,
  )
})

test.for([
  ['ids', '[tools.shell]\ndeny = ["x"]\n'],
  ['aliases', `[tools.run_command]\ndeny = ["x"]\n${RULE}tools = ["list_files"]\n`],
  ['patterns, which may fit what comes later', `${RULE}tools = ["mcp_*", "nothing_like_it*"]\n`],
  ['undo, which no model is offered', `${RULE}tools = ["undo"]\n`],
] as const)('settings may name tools by %s', async ([, text]) => {
  expect(await problemOf(text)).toBeUndefined()
})

const deploy = defineTool({
  name: 'team:deploy',
  description: 'Deploys.',
  aliases: ['ship'],
  input: objectSchema({ to: string('Where'), tag: optional(string('Which')) }),
  effect: 'run',
  main: 'to',
  execute: () => 1,
})

test('a host that is created with its own tools knows them in its settings, by id, wire name and alias', async () => {
  const text = ['"team:deploy"', 'team_deploy', 'ship'].map((name) => `[tools.${name}]\ndeny = ["^prod"]\n`).join('')
  expect(await problemOf(text)).toContain('tools.team:deploy: there is no such tool')
  expect(await problemOf(text, { tools: [deploy] })).toBeUndefined()
})

test('a rule on an argument that its tools do not have stops the start: it would never fit', async () => {
  const rule = (tools: string, argument: string) => `${RULE}tools = ${tools}\narguments = { ${argument} = "x" }\n`
  expect(await problemOf(rule('"read_file"', 'pth'))).toBe(
    '5:15: rules[0].arguments.pth: read_file has no such argument. Did you mean path?',
  )
  expect(await problemOf(rule('["read_file", "shell"]', 'zebra'))).toMatch(
    /^5:15: rules\[0\]\.arguments\.zebra: neither read_file nor shell has such an argument\. There is path, .*command/,
  )
  for (const [tools, argument] of [
    ['["read_file", "shell"]', 'command'],
    ['"list_files"', 'includeHidden'],
    ['"read_*"', 'pth'],
  ] as const)
    expect(await problemOf(rule(tools, argument))).toBeUndefined()
})

test('what a schema library makes of the arguments may have other names', async () => {
  const input = z.object({ file: z.string().describe('Which') }).transform(({ file }) => ({ path: file }))
  const tool = defineTool({ name: 'show', description: 'Shows.', input, effect: 'none', execute: () => 1 })
  const text = `${RULE}tools = "show"\narguments = { path = "x" }\n`
  expect(await problemOf(text, { tools: [tool] })).toBeUndefined()
})

test('a filter on a tool without a main parameter stops the start: no pattern would ever fit', async () => {
  expect(await problemOf('[tools.list_background_tasks]\ndeny = ["x"]\n')).toBe(
    '1:2: tools.list_background_tasks: list_background_tasks has no main parameter that a pattern could match. Write a [[rules]] entry instead.',
  )
})

test.for([
  [
    'a misspelt decision',
    '[[rules]]\nname = "r"\ndescision = "deny"\n',
    '3:1: rules[0].descision: unknown key. Did you mean decision?',
  ],
  [
    'a misspelt name',
    '[[rules]]\nnmae = "r"\ndecision = "deny"\n',
    '2:1: rules[0].nmae: unknown key. Did you mean name?',
  ],
  [
    'a misspelt forbidden',
    '[[rules]]\nname = "r"\nforbiden = ["x"]\n',
    '3:1: rules[0].forbiden: unknown key. Did you mean forbidden?',
  ],
  [
    'a wrong decision',
    '[[rules]]\nname = "r"\ndecision = "never"\n',
    '3:1: rules[0].decision: expected "allow" or "ask" or "deny", not "never"',
  ],
  ['an empty name', '[[rules]]\nname = ""\ndecision = "deny"\n', '2:1: rules[0].name: expected a text, not ""'],
  ['a misspelt table', '[tool.shell]\ndeny = ["x"]\n', '1:2: tool: unknown key. Did you mean tools?'],
  ['a misspelt list', '[[rule]]\nnam = "r"\n', '1:3: rule: unknown key. Did you mean rules?'],
  ['a misspelt filter key', '[tools.shell]\ndney = ["x"]\n', '2:1: tools.shell.dney: unknown key. Did you mean deny?'],
  [
    'a misspelt example',
    `${RULE}examples = { aks = ["shell {}"] }\n`,
    '4:14: rules[0].examples.aks: unknown key. Did you mean ask?',
  ],
  [
    'a rule without both',
    '[[rules]]\npaths = ["a"]\n',
    '1:3: rules[0]: a rule needs a name\n1:3: rules[0]: a rule needs a decision: allow, ask, deny',
  ],
] as const)('%s gives one error for each mistake', async ([, text, expected]) => {
  expect(await problemOf(text)).toBe(expected)
})

test('haft says which tool the settings misspell and where, and does not start', async () => {
  const program = buildProgram()
  mkdirSync(program.home)
  writeFileSync(join(program.home, 'settings.toml'), '[tools.shel]\ndeny = ["x"]\n')
  const { code, stderr } = await haft(program, ['call', 'shell', '{"command":"ls"}'])
  expect(code).not.toBe(0)
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    `settings.toml:1:2: tools.shel: there is no such tool. Did you mean shell?`,
  )
})
