import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../src/index.ts'
import { loadToolFolder } from '../src/registry/load-folder.ts'
import { readOwnCommands } from '../src/tui/commands/own-commands.ts'
import { temporaryFolder } from './support/example-host.ts'
import { openTerminal } from './support/terminal.ts'

const root = join(import.meta.dirname, '..')

/** The blocks of code of one language in a document, each without the indentation of its list. */
function samplesOf(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'))
  return [...blocks].map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** Makes a workspace as the samples of the README find it. */
function sampleWorkspace(): string {
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, 'plan.md'), '# Plan\n\n- tea\n- biscuits\n')
  writeFileSync(join(workspace, '.env'), 'TOKEN=abc\n')
  return workspace
}

/** Replaces what differs from run to run: ids, times, durations, and the folder of the workspace. */
function withoutChance(text: string, workspace: string): string {
  return text
    .replaceAll(`${workspace}/`, '')
    .replaceAll(/\b[cp]_[0-9a-f]{12}_\d{5}/g, 'ID')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/ *[\d.]+ m?s\b/g, ' DURATION')
    .trimEnd()
}

test('the commands in the README print what it shows', { timeout: 60_000 }, () => {
  const [workspace, home] = [sampleWorkspace(), temporaryFolder()]
  mkdirSync(join(home, 'tools'))
  writeFileSync(join(home, 'tools/words.py'), samplesOf('README.md', 'python').join(''))
  const transcript = samplesOf('README.md', 'console').join('')
  const commands = [...transcript.matchAll(/^\$ haft (.*)\n((?:(?!\$ ).*\n)*)/gm)]
  expect(commands).toHaveLength(8)
  for (const [, command = '', expected = ''] of commands) {
    const shell = ['-c', `"$NODE" "$MAIN" ${command} 2>&1`]
    const env = { ...process.env, HAFT_HOME: home, NODE: process.execPath, MAIN: join(root, 'dist/main.js') }
    const { stdout } = spawnSync('sh', shell, { cwd: workspace, encoding: 'utf8', env })
    expect(withoutChance(stdout, workspace), command).toBe(withoutChance(expected, workspace))
  }
})

test.for(['docs/python-tools.md', 'docs/typescript-tools.md'])(
  'the tool files in %s load, and the commands print what it shows',
  (file) => {
    const [workspace, home] = [temporaryFolder(), temporaryFolder()]
    mkdirSync(join(home, 'tools'))
    const texts = [...samplesOf(file, 'python'), ...samplesOf(file, 'ts')]
    for (const text of texts) {
      const [, name] = /^(?:#|\/\/) ~\/\.haft\/tools\/(\S+)\n/.exec(text) ?? []
      if (name !== undefined) writeFileSync(join(home, 'tools', name), text)
    }
    const env = { ...process.env, HAFT_HOME: home, NODE: process.execPath, MAIN: join(root, 'dist/main.js') }
    const run = (command: string) =>
      spawnSync('sh', ['-c', `"$NODE" "$MAIN" ${command}`], { cwd: workspace, encoding: 'utf8', env }).stdout
    expect(JSON.parse(run('tools --json')).skipped).toEqual([])
    const commands = [
      ...samplesOf(file, 'console')
        .join('')
        .matchAll(/^\$ haft (.*)\n((?:(?!\$ ).*\n)*)/gm),
    ]
    expect(commands.length).toBeGreaterThan(0)
    for (const [, command = '', expected = ''] of commands) expect(run(command), command).toBe(expected)
  },
)

test('the suite in docs/suite.md prints what it shows, with the recording that is shipped', () => {
  const [command = '', ...expected] = samplesOf('docs/suite.md', 'console').join('').split('\n')
  const shell = ['-c', command.replace('$ haft', '"$NODE" dist/main.js')]
  const env = { ...process.env, HAFT_HOME: temporaryFolder(), NODE: process.execPath }
  const { stdout } = spawnSync('sh', shell, { cwd: root, encoding: 'utf8', env })
  // Times, ids and folders differ from run to run, what marks a place in a line from Python to Python.
  const lasting = (lines: readonly string[]) =>
    lines
      .filter((line) => !/^[ ^]+$/.test(line))
      .map((line) => line.replace(/ \d+\.\d$/, '').replace(/"\S+\/check.py"|\bs_\w+$/, 'ID'))
  expect(expected.length).toBeGreaterThan(5)
  expect(lasting(stdout.split('\n'))).toEqual(lasting(expected))
})

test('the command file in docs/terminal.md is a command, and its text the message', () => {
  const folder = temporaryFolder()
  const [sample = ''] = samplesOf('docs/terminal.md', 'markdown')
  writeFileSync(join(folder, 'review.md'), sample)
  const [command] = readOwnCommands(folder)
  expect(command).toMatchObject({ name: 'review', help: 'Review what changed' })
  expect(command?.messageOf('src')).toBe(sample.trim().replace('$ARGUMENTS', 'src'))
})

test('the approval prompt in the README is what a person sees', async () => {
  const [sample = ''] = samplesOf('README.md', 'text')
  const args = JSON.stringify({ path: 'plan.md' })
  const terminal = openTerminal([process.execPath, join(root, 'dist/main.js'), 'call', 'delete_file', args], {
    cwd: sampleWorkspace(),
    env: { HAFT_HOME: temporaryFolder() },
    columns: 80,
  })
  const screen = await terminal.waitFor(/\[y\]es.*›/)
  const shown = screen.slice(screen.indexOf('?')).trimEnd().split('\n')
  expect(shown.map((line) => line.trimEnd())).toEqual(sample.trimEnd().split('\n'))
})

/** The calls that docs/errors.md gives as examples, by their code; those that need a person's hand are not calls alone. */
function errorExamples(): { id: string; name: string; arguments: unknown }[] {
  const rows = readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` \|[^|]*\| `(\w+) (\{.*?\})`/gm)
  return [...rows].map(([, id = '', name = '', json = '']) => ({ id, name, arguments: JSON.parse(json) }))
}

test('every example in docs/errors.md gives its code', () => {
  const [workspace, home] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(workspace, 'a.md'), 'text\n')
  writeFileSync(join(workspace, 'locked.md'), 'text\n')
  chmodSync(join(workspace, 'locked.md'), 0)
  writeFileSync(join(workspace, 'photo.png'), Buffer.from([0x89, 0x50, 0xff]))
  const open = '[[rules]]\nname = "opening is free"\ntools = ["open_file"]\ndecision = "allow"\n'
  writeFileSync(join(home, 'settings.toml'), open)
  const examples = errorExamples()
  const asUser = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search']
  const [program = '', ...args] = [
    ...(process.getuid?.() === 0 ? asUser : []),
    ...[process.execPath, join(root, 'dist/main.js'), 'call', '--stdin'],
  ]
  const { stdout } = spawnSync(program, args, {
    cwd: workspace,
    encoding: 'utf8',
    env: { ...process.env, HAFT_HOME: home },
    input: examples.map((example) => `${JSON.stringify(example)}\n`).join(''),
  })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(Object.fromEntries(answers.map(({ id, code }) => [id, code]))).toEqual(
    Object.fromEntries(examples.map(({ id }) => [id, id])),
  )
  expect(examples).toHaveLength(12)
})

test.for(['README.md', 'docs/settings.md'])('the settings in %s are right, and their examples hold', async (file) => {
  const home = temporaryFolder()
  const samples = samplesOf(file, 'toml')
  expect(samples).toHaveLength(1)
  writeFileSync(join(home, 'settings.toml'), samples[0] ?? '')
  const host = await createHost({ workspace: temporaryFolder(), home })
  expect((await host.rules()).map(({ rule }) => rule.name)).toContain('docs are free')
  await host.close()
})

test('the settings in docs/models.md choose the model that they name', async () => {
  const home = temporaryFolder()
  const [sample = ''] = samplesOf('docs/models.md', 'toml')
  writeFileSync(join(home, 'settings.toml'), sample)
  const host = await createHost({ workspace: temporaryFolder(), home })
  expect(host.models.selected()).toBe('work')
  await host.close()
})

test('the tool in CONTRIBUTING.md type-checks and is loaded', async () => {
  const folder = temporaryFolder()
  const tools = join(folder, 'tools')
  mkdirSync(tools)
  const [sample = ''] = samplesOf('CONTRIBUTING.md', 'ts')
  symlinkSync(join(root, 'src/core'), join(folder, 'core'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(tools, 'my-tool.ts'), sample)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: `${root}/tsconfig.json`, include: ['tools'] }))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--project', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
  const loaded = await loadToolFolder(tools)
  expect(loaded.skipped).toEqual([])
  expect(loaded.tools.map(({ tool }) => tool.name)).toEqual(['my_tool'])
})

test('the rule in CONTRIBUTING.md is a rule, and its examples hold', async () => {
  const folder = temporaryFolder()
  const sample = samplesOf('CONTRIBUTING.md', 'ts').find((code) => code.startsWith('const rule'))
  writeFileSync(join(folder, 'rule.js'), `${sample}\nexport default rule\n`)
  const { default: rule } = await import(join(folder, 'rule.js'))
  const host = await createHost({ workspace: temporaryFolder() })
  host.addRule(rule)
  const added = (await host.rules()).find(({ rule: { name } }) => name === rule.name)
  const reports = added ? await host.testRule(added) : []
  expect(reports.map(({ holds }) => holds)).toEqual([true, true])
  await host.close()
})
