import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCodeIndex } from '../../src/code-index/code-index.ts'
import type { CodeSearch } from '../../src/core/ports/developer/code-search.ts'
import type { ReadFiles } from '../../src/core/ports/files.ts'
import { createFiles } from '../../src/files/files.ts'
import { joinParts, makeTable } from '../lib/markdown.ts'
import { formatNumber, median } from '../lib/numbers.ts'
import type { Topic } from '../lib/topic-shape.ts'
import { type DocQuery, makeDocQueries } from './doc-queries.ts'

/** Packages with documented functions, from those that this project installs. */
const PACKAGES = [
  'undici',
  'yaml',
  'hono',
  'zod',
  'ajv',
  'diff',
  'commander',
  'smol-toml',
  're2js',
  'ipaddr.js',
  'picomatch',
  'eventsource-parser',
  'ai',
  'vite',
  'fast-check',
  'prettier',
  'jest-util',
  'jest-diff',
  '@babel/types',
  '@babel/traverse',
  '@tanstack/query-core',
  'turndown',
  'linkedom',
  'remark-gfm',
  'mdast-util-gfm',
  'micromark',
  'unified',
  'hast-util-to-jsx-runtime',
  'mdast-util-from-markdown',
  'mdast-util-to-hast',
  'micromark-core-commonmark',
  'property-information',
  'vfile',
  'unist-util-visit',
]

const QUERIES = 500
const TOP = 10

const topic: Topic = {
  about:
    'search_code: the comments of functions of installed packages, taken out, as queries; and a second query on 50,000 files in a process that watches the tree.',
  async run({ quick }) {
    const root = mkdtempSync(join(tmpdir(), 'haft-search-'))
    try {
      const found = await rank(join(root, 'packages'), quick ? 100 : QUERIES)
      const second = await timeSecondQuery(join(root, 'many'), quick ? 5_000 : 50_000)
      return {
        markdown: joinParts(
          makeTable(
            ['', `MRR at ${TOP}`, `found in the first ${TOP}`],
            [
              ['search_code', formatNumber(found.code.mrr, 3), `${found.code.found} of ${found.count}`],
              [
                'search_text with the words of the query',
                formatNumber(found.text.mrr, 3),
                `${found.text.found} of ${found.count}`,
              ],
            ],
          ),
          makeTable(
            ['on many files', 'ms'],
            [
              ['first query, index made', formatNumber(second.first)],
              ['second query', formatNumber(second.second, 2)],
            ],
          ),
        ),
        gates: [
          {
            number: '10',
            what: 'MRR at 10 of search_text as a share of that of search_code',
            unit: '×',
            limit: 0.5,
            reach: 1 / 3,
            measured: found.text.mrr / found.code.mrr,
          },
          {
            number: '10b',
            what: 'second query in a process that watches the tree',
            unit: 'ms',
            limit: 50,
            reach: 20,
            measured: second.second,
          },
        ],
      }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

export default topic

interface Score {
  readonly mrr: number
  readonly found: number
}

async function rank(folder: string, count: number): Promise<{ code: Score; text: Score; count: number }> {
  const installed = join(folder, '../installed')
  for (const name of PACKAGES) {
    const from = join(import.meta.dirname, '../../node_modules', name)
    try {
      cpSync(from, join(installed, name), {
        recursive: true,
        dereference: true,
        filter: (path) => !path.slice(from.length).includes('node_modules'),
      })
    } catch {
      // A package that is not installed gives no queries.
    }
  }
  mkdirSync(folder, { recursive: true })
  const queries = makeDocQueries(installed, folder, count)
  const { files, index } = open(folder)
  const code: number[] = []
  const text: number[] = []
  for (const query of queries) {
    code.push(await rankInCode(query, index, files))
    text.push(await rankInText(query, files))
  }
  index.close()
  return { code: scoreOf(code), text: scoreOf(text), count: queries.length }
}

/** The place of the function among the hits, from 1; 0 if it is not among them. A hit is right if it is the function, whatever its lines. */
async function rankInCode({ query, path, name }: DocQuery, index: CodeSearch, files: ReadFiles): Promise<number> {
  const { hits } = await ask(index, files, query)
  return hits.findIndex((hit) => hit.path === path && hit.name === name) + 1
}

/** search_text looks for lines with any of the words; its hits come file by file. A hit is right if it is in the file of the function. */
async function rankInText({ query, path }: DocQuery, files: ReadFiles): Promise<number> {
  const words = [...new Set(query.toLowerCase().match(/[a-z]{4,}/g) ?? [])]
  const hits: string[] = []
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  await files.search(
    { pattern, regex: true, ignoreCase: true, path: '.', limit: 1_000, signal: AbortSignal.timeout(60_000) },
    (found) => {
      hits.push(...found.map((hit) => hit.path))
    },
  )
  const counts = Map.groupBy(hits, (file) => file)
  const ranked = [...counts].sort(([, a], [, b]) => b.length - a.length).map(([file]) => file)
  const at = ranked.indexOf(path) + 1
  return at <= TOP ? at : 0
}

function scoreOf(ranks: readonly number[]): Score {
  const sum = ranks.reduce((total, rank) => total + (rank > 0 ? 1 / rank : 0), 0)
  return { mrr: sum / Math.max(ranks.length, 1), found: ranks.filter((rank) => rank > 0).length }
}

async function timeSecondQuery(folder: string, count: number): Promise<{ first: number; second: number }> {
  for (let at = 0; at < count; at++) {
    const place = join(folder, `part${at % 500}`)
    if (at < 500) mkdirSync(place, { recursive: true })
    writeFileSync(
      join(place, `file${at}.ts`),
      `export function handle${at}Request(value: number) {\n  return value + ${at}\n}\n`,
    )
  }
  const { files, index } = open(folder)
  const time = async (query: string) => {
    const start = performance.now()
    await ask(index, files, query)
    return performance.now() - start
  }
  const first = await time('handle request 77')
  const rounds = []
  for (let round = 0; round < 9; round++) rounds.push(await time(`handle request value ${round}`))
  index.close()
  return { first, second: median(rounds) }
}

function open(workspace: string): { files: ReadFiles; index: CodeSearch } {
  const files = createFiles({ workspace, replaced: () => undefined }).looking()
  return { files, index: createCodeIndex({ workspace, folder: undefined }) }
}

function ask(index: CodeSearch, files: ReadFiles, query: string) {
  const { signal } = new AbortController()
  return index.search({ query, path: '.', limit: TOP, files, signal, progress: () => undefined })
}
