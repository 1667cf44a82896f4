import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
let project = ''
let installed: SpawnSyncReturns<string>

/** Runs a program in the project and gives back what it printed. */
function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'haft-packed-'))
  project = join(folder, 'project')
  mkdirSync(project)
  // What `npm init -y` writes.
  writeFileSync(join(project, 'package.json'), '{"name":"empty","version":"1.0.0","type":"commonjs"}')
  const pack = ['pack', root, '--ignore-scripts', '--silent', '--pack-destination', folder]
  const packed = run('npm', ...pack).trim()
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, packed)]
  installed = spawnSync('npm', install, { cwd: project, encoding: 'utf8' })
  const [, sample = ''] = readFileSync(join(root, 'README.md'), 'utf8').match(/^```ts\n(.*?)^```$/ms) ?? []
  writeFileSync(join(project, 'sample.mts'), sample.replace(/^(await host\.call.*\)) \/\/.*$/m, 'console.log($1)'))
  return () => rmSync(folder, { recursive: true })
})

test('npm install of a packed Haft runs and mentions no script of it', () => {
  expect(installed).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/script|haft@/) })
  const { scripts } = JSON.parse(readFileSync(join(project, 'node_modules/haft/package.json'), 'utf8'))
  expect(scripts).not.toMatchObject({ prepare: expect.anything() })
})

test('a packed Haft holds the program, its types and its documents, and nothing of how it is made', () => {
  const inside = run('find', 'node_modules/haft', '-type', 'f').replaceAll('node_modules/haft/', '').trim().split('\n')
  expect(inside.filter((file) => !/^(dist|docs|examples)\//.test(file)).sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'GLOSSARY.md',
    'LICENSE',
    'README.md',
    'package.json',
  ])
  for (const file of [
    'dist/types/index.d.ts',
    'dist/types/client/client.d.ts',
    'dist/client/client.js',
    'dist/web/index.html',
  ])
    expect(inside).toContain(file)
  expect(inside.filter((file) => /\.test\.|types\/(cli\/|main|tools|sandbox)/.test(file))).toEqual([])
})

test('links between the documents of a packed Haft lead somewhere', () => {
  const folder = join(project, 'node_modules/haft')
  const documents = run('find', folder, '-name', '*.md').trim().split('\n')
  expect(documents.length).toBeGreaterThan(8)
  const broken = documents.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)]
      .filter(([, target]) => !existsSync(join(dirname(file), target ?? '')))
      .map(([, target]) => `${relative(folder, file)} → ${target}`),
  )
  expect(broken).toEqual([])
})

test('the sample of the README runs with a packed Haft and no optional part, in a package as npm init makes it', () => {
  expect(run(process.execPath, 'sample.mts')).toBe("{ ok: true, text: 'Hello, Ada!', data: 'Hello, Ada!' }\n")
})

test.for([
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const)(
  'the types of a packed Haft hold, its own declarations checked too: module %s, resolved as %s',
  (resolved) => {
    const [module, moduleResolution] = resolved
    const rest = { target: 'es2022', strict: true, skipLibCheck: false, noEmit: true }
    const config = { compilerOptions: { module, moduleResolution, ...rest }, files: ['sample.mts'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
    expect(run(join(root, 'node_modules/.bin/tsc'), '--project', '.')).toBe('')
  },
)

test('the command of a packed Haft works, through a link too', () => {
  const bin = join(project, 'node_modules/.bin/haft')
  symlinkSync(bin, join(project, 'link'))
  for (const command of [bin, join(project, 'link')])
    expect(run(process.execPath, command, 'call', 'task_complete', '{"summary":"done"}')).toBe('done\n')
})
