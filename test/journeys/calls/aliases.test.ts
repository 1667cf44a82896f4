import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createHost,
  defineTool,
  type HostOptions,
  integer,
  objectSchema,
  optional,
  string,
} from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'

const FULL = { path: '.', includeHidden: true }

async function listingHost(options: HostOptions = {}) {
  const host = await exampleHost(options)
  mkdirSync(join(host.workspace, 'src'))
  for (const file of ['.hidden', 'a.txt', 'src/.deep', 'src/b.txt']) writeFileSync(join(host.workspace, file), '')
  return host
}

test('S3.3 list_files lists the workspace with hidden files, and what the caller gives wins', async () => {
  const host = await listingHost()
  const names = async (args: unknown) => {
    const result = await host.call('list_files', args)
    return (result.ok ? (result.data as { entries: { name: string }[] }) : { entries: [] }).entries.map(
      ({ name }) => name,
    )
  }
  expect(await names({})).toEqual(['.hidden', 'a.txt', 'src'])
  expect(await names('')).toEqual(['.hidden', 'a.txt', 'src'])
  expect(await names({ path: 'src' })).toEqual(['.deep', 'b.txt'])
  expect(await names({ includeHidden: false })).toEqual(['a.txt', 'src'])
  expect(await names({ recursive: true })).toEqual(['.hidden', 'a.txt', 'src', 'src/.deep', 'src/b.txt'])
})

test('an alias is offered to no model, in whatever form definitions are given', async () => {
  const host = await listingHost()
  const { tools, ...snapshot } = host.registry.snapshot()
  expect(tools.map(({ tool }) => tool.name)).not.toContain('list_files')
  for (const text of [snapshot.definitions('openai'), JSON.stringify(host.registry.toOpenAIFunctions())])
    expect(text).not.toMatch(/list_files|run_command/)
})

test('a name similar to an alias suggests the tool itself', async () => {
  const host = await listingHost()
  expect(await host.call('list_file', {})).toMatchObject({ details: { nearest: ['list_directory'] } })
  expect(await host.call('runCommand', {})).toMatchObject({ details: { nearest: ['shell'] } })
})

test('the log, the check and the digest know the tool with the final arguments', async () => {
  const host = await listingHost({ wait: true, rules: [{ name: 'look', decision: 'ask', tools: ['list_directory'] }] })
  expect(await host.check('list_files', {})).toMatchObject({ rule: 'look', arguments: FULL, effects: ['reads .'] })
  const calling = host.call('list_files', '{}')
  const { request } = await openRequest(host)
  expect(request).toMatchObject({ tool: 'list_directory', arguments: FULL })
  await host.approvals.answer(request.approval, { approved: true, grant: { scope: 'exact' } })
  expect(await calling).toMatchObject({ ok: true })
  expect((await host.log.read())[1]).toMatchObject({ type: 'call-start', name: 'list_directory', arguments: FULL })
  expect(await host.log.calls({ tool: 'list_directory' })).toHaveLength(1)
  expect((await host.check('list_directory', FULL)).decision).toBe('allow')
  expect((await host.check('list_files', { path: '.' })).decision).toBe('allow')
  expect((await host.check('list_directory', { path: '.' })).decision).toBe('ask')
})

test('an argument that a person removes from the call of an alias is not added again', async () => {
  const host = await listingHost({ wait: true, rules: [{ name: 'look', decision: 'ask', tools: ['list_directory'] }] })
  const calling = host.call('list_files', {})
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true, modifiedArgs: { path: '.' } })
  const result = await calling
  expect(result.text).not.toContain('.hidden')
  expect(result).toMatchObject({ ok: true })
})

test('a null for a preset of an alias counts as left out, and is reported as a repair', async () => {
  const host = await listingHost()
  const report = await host.check('list_files', { path: null, includeHidden: 'false' })
  expect(report).toMatchObject({ decision: 'allow', arguments: { path: '.', includeHidden: false } })
  expect(report.repairs).toHaveLength(2)
  expect(await host.check('list_directory', { path: null })).toMatchObject({ decision: 'invalid' })
})

test('an alias takes background as its tool does', async () => {
  const host = await listingHost()
  const started = await host.call('run_command', { command: 'echo hi', background: true }, { decision: 'allow' })
  expect(started).toMatchObject({ ok: true, data: { task_id: expect.stringMatching(/^c_/) } })
})

test('a rule and a filter of the settings understand an alias; a pattern matches tools only', async () => {
  const workspace = temporaryFolder()
  const home = temporaryFolder()
  const settings = [
    '[tools.list_files]',
    'deny = ["^secret"]',
    '[[rules]]',
    'name = "no shell"',
    'tools = ["run_command"]',
    'decision = "deny"',
    '[[rules]]',
    'name = "free"',
    'tools = ["list_f*"]',
    'decision = "ask"',
  ]
  writeFileSync(join(home, 'settings.toml'), settings.join('\n'))
  const host = await createHost({ workspace, home, storage: 'memory' })
  const decide = async (name: string, args: object) => (await host.check(name, args)).decision
  expect(await decide('list_directory', { path: 'secret' })).toBe('deny')
  expect(await decide('list_files', { path: 'secret' })).toBe('deny')
  expect(await decide('list_files', { path: 'other' })).toBe('allow')
  expect(await decide('shell', { command: 'ls' })).toBe('deny')
  await host.close()
})

const COUNT = objectSchema({ from: integer('From'), to: optional(integer('To')) })
const count = (aliases: unknown) =>
  defineTool({
    name: 'count',
    description: 'Counts.',
    input: COUNT,
    aliases: aliases as [],
    effect: 'none',
    execute: (given) => given,
  })

test('a program gives its own tools aliases with presets, which nobody can change afterwards', async () => {
  const preset = { from: 1 }
  const host = await exampleHost({ tools: [count([{ name: 'count_up', preset }, 'counting'])] })
  preset.from = 7
  expect(await host.call('count_up', { to: 3 })).toMatchObject({ data: { from: 1, to: 3 } })
  expect(await host.call('count_up', { from: 2 })).toMatchObject({ data: { from: 2 } })
  expect(await host.call('counting', { from: 4 })).toMatchObject({ data: { from: 4 } })
  expect(await host.call('count', {})).toMatchObject({ code: 'INVALID_ARGUMENTS' })
})

test('an alias whose name another tool takes means that tool, with no preset, and its rules go with it', async () => {
  const own = defineTool({
    name: 'list_files',
    description: 'My own.',
    input: objectSchema({ glob: optional(string('Which')) }),
    effect: 'none',
    execute: (given) => given,
  })
  const host = await listingHost({ rules: [{ name: 'mine', decision: 'deny', tools: ['list_files'] }] })
  expect(await host.check('list_directory', { path: '.' })).toMatchObject({ decision: 'deny' })
  host.registry.register(own, { override: true })
  expect(await host.check('list_directory', { path: '.' })).toMatchObject({ decision: 'allow' })
  expect(await host.check('list_files', {})).toMatchObject({ decision: 'deny', arguments: {} })
})

test.for([
  ['an alias that is no name', [7], 'tool "count" has an alias 7; expected a name or {name, preset}'],
  ['an alias with a space', ['count up'], 'tool "count" has an alias "count up"'],
  ['no list', 'counting', 'tool "count" has aliases that are not a list'],
  ['one alias twice', ['up', { name: 'up' }], 'tool "count" has the alias "up" twice'],
  [
    'a preset that is not an object',
    [{ name: 'up', preset: 1 }],
    'the alias "up" of tool "count" has a preset that is not an object',
  ],
  [
    'a preset for an unknown argument',
    [{ name: 'up', preset: { form: 1 } }],
    'presets "form", which its input does not have; did you mean from?',
  ],
  [
    'a preset that JSON cannot represent',
    [{ name: 'up', preset: { from: 1n } }],
    'has a preset that is not valid JSON',
  ],
  ['a misspelt member', [{ name: 'up', presets: {} }], 'has "presets"; an alias has a name and a preset'],
] as const)('a tool with %s is refused when it is registered', async ([, aliases, expected]) => {
  const host = await exampleHost()
  expect(() => host.registry.register(count(aliases))).toThrow(expected)
})

test('haft tools and haft log show the tool of an alias', async () => {
  const program = buildProgram()
  const shown = await haft(program, ['tools', 'list_files'])
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^list_directory /) })
  expect(shown.stdout).toMatch(/also called +list_files with \{"path":"\.","includeHidden":true\}/)
  expect((await haft(program, ['tools'])).stdout).not.toContain('list_files')
  expect((await haft(program, ['tools', 'list_file'])).stderr).toContain('Did you mean list_directory')
  await haft(program, ['call', 'list_files', '{}'])
  const logged = await haft(program, ['log', '--tool', 'list_files', '--json'])
  expect(JSON.parse(logged.stdout).calls).toMatchObject([{ tool: 'list_directory', outcome: 'ok' }])
})
