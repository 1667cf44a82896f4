import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')

interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

const sources: readonly Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    return { path: file, text, imports: importsOf(text, file) }
  })

function importsOf(text: string, file: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm,
  )
  return [...statements].map(([, type, fixed, lazy]) => {
    const target = fixed ?? lazy ?? ''
    const local = target.startsWith('.') ? relative(src, resolve(src, dirname(file), target)) : target
    return { target: local, typeOnly: type !== undefined }
  })
}

/** The folder a file counts to; files beside the folders count to themselves. */
function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : path
}

/** Adapters and mechanisms: they import core and never one another, but the sandbox uses files. */
const ADAPTERS = [
  ...['tools', 'pipeline', 'registry', 'sources', 'rules', 'files', 'http', 'sandbox', 'models', 'store'],
  ...['settings', 'undo', 'machine', 'code-index'],
]
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  ...Object.fromEntries(ADAPTERS.map((folder) => [folder, ['core']])),
  sandbox: ['core', 'files'],
  app: ['core', ...ADAPTERS, 'agent'],
  agent: ['core'],
  client: ['core'],
  server: ['core'],
  cli: ['core'],
  tui: ['core'],
}

test('every folder imports only what it may', () => {
  const wrong = sources.flatMap(({ path, imports }) => {
    const allowed = MAY_IMPORT[folderOf(path)]
    if (allowed === undefined) return []
    return imports
      .filter(({ target }) => /\.tsx?$/.test(target) && ![folderOf(path), ...allowed].includes(folderOf(target)))
      .filter(
        ({ target, typeOnly }) =>
          !(
            typeOnly &&
            ((folderOf(target) === 'app' && ['server', 'cli', 'tui'].includes(folderOf(path))) ||
              (folderOf(target) === 'tui' && folderOf(path) === 'cli'))
          ),
      )
      .map(({ target }) => `${path} imports ${target}`)
  })
  expect(wrong).toEqual([])
})

test('every folder of src is in the table of imports', () => {
  const folders = new Set(sources.map(({ path }) => folderOf(path)))
  const known = [...Object.keys(MAY_IMPORT), 'main.ts', 'index.ts']
  expect([...folders].filter((folder) => !known.includes(folder))).toEqual([])
})

test('core imports no npm package and nothing of Node, types of Standard Schema aside', () => {
  const wrong = sources
    .filter(({ path }) => folderOf(path) === 'core')
    .flatMap(({ path, imports }) =>
      imports.filter(({ target }) => !/\.ts$/.test(target)).map((one) => ({ path, ...one })),
    )
    .filter(({ target, typeOnly }) => !(target === '@standard-schema/spec' && typeOnly))
  expect(wrong).toEqual([])
})

test('tools reach the world only through their context: they import core and nothing else', () => {
  const wrong = sources
    .filter(({ path }) => folderOf(path) === 'tools')
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => !['core', 'tools'].includes(folderOf(target)))
        .map(({ target }) => `${path}: ${target}`),
    )
  expect(wrong).toEqual([])
})

test('there are no import cycles, type imports included', () => {
  const edges = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
  const done = new Set<string>()
  const findCycle = (path: string, above: readonly string[]): readonly string[] | undefined => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const target of edges.get(path) ?? []) {
      const cycle = findCycle(target, [...above, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }
  expect([...edges.keys()].map((path) => findCycle(path, [])).find(Boolean)).toBeUndefined()
})

test('process.env and process.cwd() are read in app, main.ts and cli only', () => {
  const wrong = sources
    .filter(({ path }) => !['app', 'main.ts', 'cli'].includes(folderOf(path)))
    .filter(({ text }) => /process\.(env|cwd)\b/.test(text))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('only approve.ts makes a cleared call, only validate.ts a valid one', () => {
  const makers = (brand: string) =>
    sources.filter(({ text }) => new RegExp(`\\bas ${brand}\\b`).test(text)).map(({ path }) => path)
  expect(makers('ClearedCall')).toEqual(['pipeline/approve/approve.ts'])
  expect(makers('ValidCall')).toEqual(['pipeline/validate/validate.ts'])
})

test('files stay short: none over 400 lines, nine of ten under 250', () => {
  const lengths = sources.map(({ text }) => text.split('\n').length).sort((a, b) => a - b)
  expect(lengths.at(-1)).toBeLessThanOrEqual(400)
  expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(250)
})

test('folders stay small: at most 16 files, the built-in tools aside', () => {
  const counts = new Map<string, number>()
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  counts.delete('tools')
  expect([...counts].filter(([, count]) => count > 16)).toEqual([])
})

test('no `any`, no `!` after a value', () => {
  const wrong = sources.filter(({ text }) =>
    /:\s*any\b|<any>|\bas any\b|[\w)\]]!(\.|;|,|\)|\[)/.test(
      text.replace(/'[^'\n]*'|`[^`]*`|\/\/.*|\/\*[\s\S]*?\*\//g, ''),
    ),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('the public names are these, listed by hand', async () => {
  const names = Object.keys(await import('../src/index.ts')).sort()
  expect(names).toEqual(PUBLIC_NAMES)
})

const PUBLIC_NAMES = [
  'ERROR_CODES',
  'ModelError',
  'ToolError',
  'answer',
  'array',
  'boolean',
  'connects',
  'createHost',
  'defineTool',
  'delegate',
  'deletes',
  'drawSession',
  'fail',
  'fromAiSdk',
  'integer',
  'next',
  'number',
  'objectSchema',
  'oneOf',
  'openHome',
  'optional',
  'output',
  'pipeline',
  'reads',
  'record',
  'runs',
  'string',
  'toAiSdk',
  'toAnthropic',
  'toCopilot',
  'toCopilotResult',
  'toGemini',
  'toMcp',
  'toOllama',
  'toOpenAI',
  'toToolResult',
  'toValueResult',
  'writes',
]
