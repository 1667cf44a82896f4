import { join } from 'node:path'
import { type Failed, interleave, reasonOf } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Gate, Report, RunOptions, Topic } from '../lib/topic-shape.ts'
import { type Cost, startWarm, type WarmProcess } from '../lib/warm-process.ts'
import { contestants } from './contestants.ts'
import {
  AI_STEP,
  AI_STEP_64,
  BARE,
  HAFT_CALL,
  HAFT_LOGGED,
  HAFT_STAGES,
  HAFT_STEP,
  HAFT_STEP_64,
  REFERENCE_CALL,
  REFERENCE_PIPELINE,
  STEPS,
} from './names.ts'

const PROGRAM = join(import.meta.dirname, 'contestants.ts')

/** A contestant, Haft's or another's, is warm once its cheapest round was none of its latest ones: its last functions are compiled then. It burns at least so much cpu, and at most so much, in ms. */
const LATEST = 6
const LEAST_WARM_MS = 2_000
const MOST_WARM_MS = 15_000
const ROUND_MS = 100
const MOST_CALLS = 500_000

interface Runner {
  readonly process: WarmProcess
  readonly calls: number
}

type Field = 'cpu' | 'wall'
/** µs a call, one value a round. */
type Times = (name: string, field: Field) => readonly number[]

const topic: Topic = {
  about:
    'One tool call: the same echo tool with three arguments, in a warm process of its own. `over stdio` counts the client process alone.',
  async run(options: RunOptions): Promise<Report> {
    const names = contestants.filter(({ peer }) => options.peers || !peer).map(({ name }) => name)
    const { runners, failed } = await startAll(names)
    const length = { rounds: options.quick ? 3 : 9, warm: 1 }
    const race = (inFlight: number) =>
      interleave([...runners.keys()], length, (name) => measure(runners.get(name), inFlight))
    const alone = await race(1)
    const crowded = await race(64)
    for (const { process } of runners.values()) process.stop()
    const seq = timesOf(alone.samples)
    const finishers = [...runners.keys()].filter((name) => alone.samples.has(name) && crowded.samples.has(name))
    const rss = (name: string) => median((alone.samples.get(name) ?? []).map((cost) => cost.rss / 1e6))
    return {
      markdown: joinParts(
        resultTable(finishers, { seq, crowded: timesOf(crowded.samples), rss }),
        listFailed([...failed, ...alone.failed, ...crowded.failed]),
      ),
      gates: makeGates(seq),
    }
  },
}

export default topic

async function startAll(names: readonly string[]): Promise<{ runners: Map<string, Runner>; failed: Failed[] }> {
  const runners = new Map<string, Runner>()
  const failed: Failed[] = []
  for (const name of names) {
    try {
      const process = await startWarm(PROGRAM, name)
      runners.set(name, { process, calls: await chooseCalls(process) })
    } catch (thrown) {
      failed.push({ name, reason: reasonOf(thrown) })
    }
  }
  return { runners, failed }
}

/** Warms the process up in both ways it will be called, then says how many calls make a round. */
async function chooseCalls(process: WarmProcess): Promise<number> {
  let calls = 1000
  const rounds: number[] = []
  for (let burnt = 0; burnt < LEAST_WARM_MS || (burnt < MOST_WARM_MS && isGettingCheaper(rounds)); ) {
    const crowded = await process.measure({ calls, inFlight: 64 })
    const alone = await process.measure({ calls, inFlight: 1 })
    burnt += crowded.cpu + alone.cpu
    rounds.push(alone.cpu / calls)
    calls = Math.round(Math.min(MOST_CALLS, (ROUND_MS / alone.cpu) * calls))
  }
  return calls
}

function isGettingCheaper(rounds: readonly number[]): boolean {
  return Math.min(...rounds.slice(-LATEST)) < Math.min(...rounds.slice(0, -LATEST))
}

/** What one call cost, in µs. */
async function measure(runner: Runner | undefined, inFlight: number): Promise<Cost> {
  if (runner === undefined) throw new Error('it did not start')
  const { wall, cpu, rss } = await runner.process.measure({ calls: runner.calls, inFlight })
  return { wall: (wall * 1000) / runner.calls, cpu: (cpu * 1000) / runner.calls, rss }
}

function timesOf(samples: ReadonlyMap<string, readonly Cost[]>): Times {
  return (name, field) => (samples.get(name) ?? []).map((cost) => cost[field])
}

function resultTable(
  names: readonly string[],
  { seq, crowded, rss }: { seq: Times; crowded: Times; rss: (name: string) => number },
): string {
  const times = (name: string, baseline: string, digits = 2) =>
    formatNumber(pairedRatio(seq(name, 'cpu'), seq(baseline, 'cpu')), digits)
  return makeTable(
    [
      'contestant',
      'µs cpu',
      'µs wall',
      '64 in flight: µs cpu',
      'µs wall',
      'cpu × bare',
      'cpu × reference call',
      'cpu × reference pipeline',
      'RSS MB',
    ],
    names.map((name) => [
      name,
      formatNumber(median(seq(name, 'cpu'))),
      formatNumber(median(seq(name, 'wall'))),
      formatNumber(median(crowded(name, 'cpu'))),
      formatNumber(median(crowded(name, 'wall'))),
      times(name, BARE, 1),
      times(name, REFERENCE_CALL),
      times(name, REFERENCE_PIPELINE),
      formatNumber(rss(name), 0),
    ]),
  )
}

function makeGates(seq: Times): Gate[] {
  const cpuRatio = (name: string, baseline: string) => pairedRatio(seq(name, 'cpu'), seq(baseline, 'cpu'))
  return [
    {
      number: '1a',
      what: 'stages parse and validate of an object, cpu × reference call',
      unit: '×',
      limit: 3,
      reach: 1.5,
      measured: cpuRatio(HAFT_STAGES, REFERENCE_CALL),
    },
    {
      number: '1b',
      what: 'whole call, JSON text in, memory store, a listener, cpu × reference pipeline',
      unit: '×',
      limit: 3.5,
      reach: 1.5,
      measured: cpuRatio(HAFT_CALL, REFERENCE_PIPELINE),
    },
    {
      number: '1b',
      what: 'the same with the log in SQLite, written behind, cpu × reference pipeline',
      unit: '×',
      limit: 15,
      reach: 5,
      measured: cpuRatio(HAFT_LOGGED, REFERENCE_PIPELINE),
    },
    {
      number: '1c',
      what: `one step of the agent's loop with a mock model and one call, in runs of ${STEPS} steps, cpu × ai 7 generateText`,
      unit: '×',
      limit: 0.15,
      reach: 0.05,
      measured: cpuRatio(HAFT_STEP, AI_STEP),
    },
    {
      number: '1d',
      what: '64 calls in one step, per call, cpu × ai 7',
      unit: '×',
      limit: 0.3,
      reach: 0.1,
      measured: cpuRatio(HAFT_STEP_64, AI_STEP_64),
    },
  ]
}
