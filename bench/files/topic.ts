import { createFiles } from '../../src/files/files.ts'
import { createMemoryStorage } from '../../src/store/memory/memory-storage.ts'
import { interleave, type Rounds } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Gate, Topic } from '../lib/topic-shape.ts'
import { makeDataSet } from './data-set.ts'
import { startFileServer } from './file-server.ts'
import { HAFT, type Operation, operationsOf } from './operations.ts'

const topic: Topic = {
  about:
    'The file door with the memory store, in this process, beside Node, ripgrep and the reference MCP file server over stdio.',
  async run({ quick, peers }) {
    const data = makeDataSet()
    const server = peers ? await startFileServer(data.root) : undefined
    const operations = operationsOf(data, openDoor(data.root), server)
    const reports = []
    for (const operation of operations) reports.push(await race(operation, quick ? 3 : 9))
    await server?.close()
    return {
      markdown: joinParts(...reports.map(({ markdown }) => markdown)),
      gates: reports.map(({ gate }) => gate),
    }
  },
}

export default topic

/** From the source: the bundle shows no parts. */
function openDoor(workspace: string) {
  const { signal } = new AbortController()
  const store = createMemoryStorage()
  const door = createFiles({ workspace, replaced: (record) => store.undo.keep({ ...record, workspace }) })
  return door.forCall({ id: 'bench', expects: {}, signal })
}

async function race(operation: Operation, rounds: number): Promise<{ markdown: string; gate: Gate }> {
  const { contestants, times } = operation
  const measured = await interleave(Object.keys(contestants), { rounds, warm: 1 }, async (name) => {
    const start = performance.now()
    for (let turn = 0; turn < times; turn++) await contestants[name]?.()
    return (performance.now() - start) / times
  })
  return { markdown: describe(operation, measured), gate: gateOf(operation, measured) }
}

function describe({ number, what, baseline }: Operation, { samples, failed }: Rounds<number>): string {
  const measure = samples.get(baseline) ?? []
  const rows = [...samples].map(([name, walls]) => [
    name,
    formatNumber(median(walls), 3),
    formatNumber(Math.min(...walls), 3),
    formatNumber(pairedRatio(walls, measure)),
  ])
  const table = makeTable(['contestant', 'median ms', 'best ms', `× ${baseline}`], rows)
  return joinParts(`### ${number} ${what}`, table, listFailed(failed))
}

function gateOf({ number, what, baseline, limit, reach }: Operation, { samples }: Rounds<number>): Gate {
  const [ours, measure] = [samples.get(HAFT), samples.get(baseline)]
  const measured = ours && measure ? pairedRatio(ours, measure) : undefined
  return { number, what: `${what}, × ${baseline}`, unit: '×', limit, reach, measured }
}
