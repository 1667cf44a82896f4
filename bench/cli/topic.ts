import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { measureCold, type Surroundings } from '../lib/cold-process.ts'
import { interleave, type Rounds } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Gate, RunOptions, Topic } from '../lib/topic-shape.ts'
import type { Cost } from '../lib/warm-process.ts'
import { commandLines, EMPTY_NODE, HAFT } from './command-lines.ts'

type Flag = '--version' | '--help'

const topic: Topic = {
  about: 'The start of a command line, in a fresh process with a home and (where `unshare` may) a network of its own.',
  async run(options) {
    const home = mkdtempSync(join(tmpdir(), 'haft-bench-'))
    try {
      const version = await race('--version', home, options)
      const help = await race('--help', home, options)
      return {
        markdown: joinParts(describe('--version', version), describe('--help', help)),
        gates: makeGates(version.samples, help.samples),
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
}

export default topic

function race(flag: Flag, home: string, { quick, peers }: RunOptions): Promise<Rounds<Cost>> {
  const racing = new Map(commandLines.filter(({ peer }) => peers || !peer).map((line) => [line.name, line]))
  const around = surroundings(home)
  return interleave([...racing.keys()], { rounds: quick ? 5 : 9, warm: 1 }, (name) =>
    measureCold(racing.get(name)?.command(flag) ?? [], around),
  )
}

/** A home that holds nothing, and no network: no CLI finds an account or asks for an update. */
function surroundings(home: string): Surroundings {
  const alone = ['unshare', '--net']
  const { status } = spawnSync('unshare', ['--net', 'true'])
  return {
    folder: home,
    env: {
      ...process.env,
      HOME: home,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      NO_COLOR: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    inside: status === 0 ? alone : [],
  }
}

function describe(flag: Flag, { samples, failed }: Rounds<Cost>): string {
  const baseline = (samples.get(EMPTY_NODE) ?? []).map(({ cpu }) => cpu)
  const rows = [...samples].map(([name, costs]) => [
    name,
    formatNumber(median(costs.map(({ wall }) => wall)), 1),
    formatNumber(median(costs.map(({ cpu }) => cpu)), 1),
    formatNumber(
      pairedRatio(
        costs.map(({ cpu }) => cpu),
        baseline,
      ),
    ),
    formatNumber(median(costs.map(({ rss }) => rss)) / 2 ** 20, 1),
  ])
  const head = ['command line', 'wall ms', 'cpu ms', 'cpu × empty node', 'max RSS MiB']
  return joinParts(`### ${flag}`, makeTable(head, rows), listFailed(failed))
}

type Samples = ReadonlyMap<string, readonly Cost[]>

function cpuRatio(samples: Samples): number {
  const cpu = (name: string) => (samples.get(name) ?? []).map((cost) => cost.cpu)
  return pairedRatio(cpu(HAFT), cpu(EMPTY_NODE))
}

function makeGates(version: Samples, help: Samples): Gate[] {
  const rss = median((help.get(HAFT) ?? []).map((cost) => cost.rss)) / 2 ** 20
  return [
    {
      number: '7',
      what: '--version, cpu × empty node',
      unit: '×',
      limit: 1.4,
      reach: 1.2,
      measured: cpuRatio(version),
    },
    { number: '7', what: '--help, cpu × empty node', unit: '×', limit: 1.8, reach: 1.4, measured: cpuRatio(help) },
    { number: '7b', what: '--help, max RSS', unit: 'MiB', limit: 52, reach: 48, measured: rss },
  ]
}
