import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../src/index.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('every error code has a row in docs/errors.md, and every row is a code', () => {
  const rows = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)
  expect(rows.sort()).toEqual([...ERROR_CODES].sort())
})

test('README and ARCHITECTURE stay short, and README starts with the two commands', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(150)
  expect(read('docs/ARCHITECTURE.md').split('\n').length).toBeLessThan(200)
  const commands = [...read('README.md').matchAll(/npm ci && npm (start|test)/g)].map(([command]) => command)
  expect(commands.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

test('ARCHITECTURE names every folder of src, and no file that is not there', () => {
  const architecture = read('docs/ARCHITECTURE.md')
  const files = ['src', 'test', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.filter(({ name }) => !architecture.includes(`\nsrc/${name}/ `))).toEqual([])
  const named = [...architecture.matchAll(/([\w./-]+\.ts)\b/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([])
})

test('ARCHITECTURE names the stages in order, and the files that a call passes as run-call.ts imports them', () => {
  const [, section = ''] = /^## The path of a call\n(.*?)^## /ms.exec(read('docs/ARCHITECTURE.md')) ?? []
  const rows = section.split('\n').filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| stage |'))
  expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual([
    ...['parse', 'repair', 'validate', 'judge', 'prepare', 'approve', 'commit point', 'execute', 'normalise'],
  ])
  const reached = new Set(['run-call.ts'])
  for (const file of reached) for (const target of importsOf(file)) reached.add(target)
  expect(rows.flatMap(filesIn).filter((file) => !reached.has(file))).toEqual([])
  const passed = importsOf('run-call.ts').filter((file) => file.includes('/'))
  expect(passed.length).toBeGreaterThan(4)
  expect(passed.filter((file) => !filesIn(section).includes(file))).toEqual([])
})

function filesIn(text: string): string[] {
  return [...text.matchAll(/`([a-z-]+\/[a-z-]+\.ts)`/g)].map(([, file = '']) => file)
}

/** The files of src/pipeline that one of them imports for more than types, relative to that folder. */
function importsOf(file: string): string[] {
  const imports = read(`src/pipeline/${file}`).matchAll(/^import (?!type)[^;]*? from '(\.[^']+)'/gm)
  return [...imports].map(([, target = '']) => join(dirname(file), target)).filter((target) => !target.startsWith('..'))
}

test('every dependency is pinned exactly and argued for in ARCHITECTURE', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const architecture = read('docs/ARCHITECTURE.md')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    expect(architecture, name).toContain(`\`${name}\``)
  }
})

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'CHANGELOG.md', 'bench/README.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

test('commands, flags and scripts that the documents name are there', () => {
  const text = documents.map(read).join('\n')
  const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const commandFiles = readdirSync(join(root, 'src/cli'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(`src/cli/${file}`))
    .join('\n')
  const commands = find(/(?:^|`)haft ([a-z]+)/gm)
  const isThere = (name: string) => ['command', 'alias'].some((kind) => commandFiles.includes(`.${kind}('${name}')`))
  expect(commands.filter((name) => !isThere(name))).toEqual([])
  const flags = find(/(?<=\bhaft [^\n`]*)(--[a-z][a-z-]*)/g)
  expect(flags.filter((flag) => !new RegExp(`['\\s]${flag}[' ]`).test(commandFiles))).toEqual([])
  const { scripts } = JSON.parse(read('package.json'))
  expect(find(/npm run ([a-z]+)/g).filter((name) => !(name in scripts))).toEqual([])
})

test('links between the documents lead somewhere', () => {
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)]
      .filter(([, target]) => !existsSync(join(root, dirname(file), target ?? '')))
      .map(([, target]) => `${file} → ${target}`),
  )
  expect(broken).toEqual([])
})

test.each([
  'package-lock.json',
  'bench/package-lock.json',
  'bench/cli/package-lock.json',
  'bench/files/package-lock.json',
  'bench/sandbox/package-lock.json',
])('%s names every optional package of every platform, as `npm ci` wants it', (lockfile) => {
  const { packages } = JSON.parse(read(lockfile)) as {
    packages: Record<string, { optionalDependencies?: object }>
  }
  const wanted = Object.values(packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
  expect(wanted.filter((name) => !packages[`node_modules/${name}`])).toEqual([])
})
