import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { interleave } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Gate, Report, RunOptions } from '../lib/topic-shape.ts'
import { contestants } from './contestants.ts'
import { FLOOR, HAFT } from './names.ts'
import type { Weight } from './weigh.ts'

const PROGRAM = join(import.meta.dirname, 'contestants.ts')

/** So many tools, defined and said to a model, in a fresh process for each contestant and round. */
export async function raceTools(count: number, options: RunOptions): Promise<Report> {
  const names = contestants.filter(({ peer }) => options.peers || !peer).map(({ name }) => name)
  // A thousand tools take some ten milliseconds, which one rescheduling doubles: more rounds steady their median.
  const length = { rounds: options.quick ? 3 : count < 10_000 ? 11 : 7, warm: 0 }
  const { samples, failed } = await interleave(names, length, (name) => weighFresh(name, count))
  return {
    markdown: joinParts(`### ${count.toLocaleString('en-US')} tools`, resultTable(samples, count), listFailed(failed)),
    gates: makeGates(samples, count),
  }
}

function weighFresh(name: string, count: number): Weight {
  const output = execFileSync(process.execPath, ['--expose-gc', PROGRAM, name, String(count)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Weight
}

type Samples = ReadonlyMap<string, readonly Weight[]>
type Pick = (weight: Weight) => number

const toFirst: Pick = ({ define, first }) => define + first
const toAgain: Pick = ({ again }) => again

function middle(samples: Samples, name: string, pick: Pick): number {
  return median((samples.get(name) ?? []).map(pick))
}

function ratio(samples: Samples, name: string, pick: Pick): number {
  return pairedRatio((samples.get(name) ?? []).map(pick), (samples.get(FLOOR) ?? []).map(pick))
}

function resultTable(samples: Samples, count: number): string {
  return makeTable(
    [
      'contestant',
      'define, ms cpu',
      'definitions first, ms cpu',
      'again, ms cpu',
      'µs a tool, define + first',
      '× floor',
      'again × floor',
      'heap KB a tool',
      'RSS MB added',
    ],
    [...samples.keys()].map((name) => [
      name,
      formatNumber(
        middle(samples, name, ({ define }) => define),
        1,
      ),
      formatNumber(
        middle(samples, name, ({ first }) => first),
        1,
      ),
      formatNumber(middle(samples, name, toAgain), 2),
      formatNumber((middle(samples, name, toFirst) / count) * 1000, 1),
      formatNumber(ratio(samples, name, toFirst)),
      formatNumber(ratio(samples, name, toAgain)),
      formatNumber(heapEach(samples, name, count)),
      formatNumber(middle(samples, name, ({ rss }) => rss) / 1e6, 1),
    ]),
  )
}

function heapEach(samples: Samples, name: string, count: number): number {
  return middle(samples, name, ({ heap }) => heap) / count / 1024
}

function makeGates(samples: Samples, count: number): Gate[] {
  const many = `${count.toLocaleString('en-US')} tools`
  const gates: Gate[] = [
    {
      number: '2a',
      what: `${many}: define and first definitions, cpu × plain Map`,
      unit: '×',
      limit: 4,
      reach: 2,
      measured: ratio(samples, HAFT, toFirst),
    },
    {
      number: '2b',
      what: `${many}: definitions again, cpu × plain Map`,
      unit: '×',
      limit: 1,
      reach: 0.1,
      measured: ratio(samples, HAFT, toAgain),
    },
  ]
  if (count < 10_000) return gates
  const measured = heapEach(samples, HAFT, count)
  return [...gates, { number: '2d', what: `${many}: heap a tool`, unit: 'KB', limit: 1.4, reach: 1, measured }]
}
