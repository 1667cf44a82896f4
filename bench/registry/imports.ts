import { pathToFileURL } from 'node:url'
import { builtFile } from '../lib/built-haft.ts'
import { measureCold } from '../lib/cold-process.ts'
import { interleave } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median } from '../lib/numbers.ts'
import type { Gate, Report, RunOptions } from '../lib/topic-shape.ts'
import type { Cost } from '../lib/warm-process.ts'
import { AJV, EMPTY_NODE, HAFT_IMPORT } from './names.ts'

/** What is imported, by the name it is shown under; the packages of the peers last. */
const PEERS: Readonly<Record<string, string>> = {
  zod: 'zod',
  'zod/mini': 'zod/mini',
  typebox: 'typebox',
  ai: 'ai',
  '@langchain/core/tools': '@langchain/core/tools',
  '@openai/agents': '@openai/agents',
  '@mastra/core/tools': '@mastra/core/tools',
  '@mastra/core/agent': '@mastra/core/agent',
  'MCP SDK v1 client': '@modelcontextprotocol/sdk/client/index.js',
  'MCP SDK v1 server': '@modelcontextprotocol/sdk/server/mcp.js',
  'MCP SDK v2 client': '@modelcontextprotocol/client',
  'MCP SDK v2 server': '@modelcontextprotocol/server',
}

/** A fresh process that imports one package and ends: what a program pays before its first line. */
export async function raceImports(options: RunOptions): Promise<Report> {
  const scripts = new Map([
    [EMPTY_NODE, '0'],
    [AJV, importOf('ajv')],
    [HAFT_IMPORT, importOf(pathToFileURL(builtFile('index.js')).href)],
    ['node:sqlite', importOf('node:sqlite')],
    ...(options.peers ? Object.entries(PEERS).map(([name, path]) => [name, importOf(path)] as const) : []),
  ])
  const { samples, failed } = await interleave(
    [...scripts.keys()],
    { rounds: options.quick ? 5 : 9, warm: 1 },
    (name) => measureCold([process.execPath, '-e', scripts.get(name) ?? ''], { folder: import.meta.dirname }),
  )
  return { markdown: joinParts(resultTable(samples), listFailed(failed)), gates: makeGates(samples) }
}

function importOf(path: string): string {
  return `import(${JSON.stringify(path)})`
}

type Samples = ReadonlyMap<string, readonly Cost[]>

/** What a contestant takes beyond an empty node in the same round. */
function addedBy(samples: Samples, name: string, field: keyof Cost): readonly number[] {
  const baseline = samples.get(EMPTY_NODE) ?? []
  return (samples.get(name) ?? []).map((cost, round) => cost[field] - (baseline[round]?.[field] ?? Number.NaN))
}

function addedRatio(samples: Samples, name: string): number {
  const ajv = addedBy(samples, AJV, 'cpu')
  return median(addedBy(samples, name, 'cpu').map((added, round) => added / (ajv[round] ?? Number.NaN)))
}

function resultTable(samples: Samples): string {
  return makeTable(
    ['import in a fresh process', 'wall ms', 'cpu ms', 'added cpu ms', 'added cpu × ajv', 'peak RSS MB', 'added MB'],
    [...samples].map(([name, costs]) => [
      name,
      formatNumber(median(costs.map(({ wall }) => wall)), 1),
      formatNumber(median(costs.map(({ cpu }) => cpu)), 1),
      formatNumber(median(addedBy(samples, name, 'cpu')), 1),
      formatNumber(addedRatio(samples, name)),
      formatNumber(median(costs.map(({ rss }) => rss / 1e6)), 1),
      formatNumber(median(addedBy(samples, name, 'rss')) / 1e6, 1),
    ]),
  )
}

function makeGates(samples: Samples): Gate[] {
  return [
    {
      number: '2e',
      what: 'import of the package, added cpu × ajv',
      unit: '×',
      limit: 1,
      reach: 0.4,
      measured: addedRatio(samples, HAFT_IMPORT),
    },
    {
      number: '2e',
      what: 'import of the package, RSS added',
      unit: 'MB',
      limit: 12,
      reach: 6,
      measured: median(addedBy(samples, HAFT_IMPORT, 'rss')) / 1e6,
    },
  ]
}
