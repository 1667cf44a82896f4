import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../src/index.ts'
import { loadToolFolder } from '../src/registry/load-folder.ts'
import { temporaryFolder } from './support/example-host.ts'

const root = join(import.meta.dirname, '..')

/** The blocks of code of one language in a document, each without the indentation of its list. */
function samplesOf(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'))
  return [...blocks].map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

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
