import { join } from 'node:path'
import { interleave, reasonOf } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Gate, Report, RunOptions, Topic } from '../lib/topic-shape.ts'
import { type Cost, startWarm, type WarmProcess } from '../lib/warm-process.ts'
import { raceAnswerDelay } from './answer-delay.ts'
import { contestants } from './contestants.ts'
import { raceLongLog } from './long-log.ts'
import { HAFT_BEHIND, HAFT_MACHINE, RAW_FULL, RAW_NORMAL } from './names.ts'

const PROGRAM = join(import.meta.dirname, 'contestants.ts')

/** Events a round: fewer where each reaches the disk alone, more where they are written by the thousand. */
const EVENTS = 2_000
const EVENTS_SYNCED = 60
const EVENTS_BEHIND = 20_000

const topic: Topic = {
  about:
    'One event of about 500 bytes kept in a log on disk, one after another and with 64 that wait at once; and questions to a long log.',
  async run(options: RunOptions): Promise<Report> {
    const runners = new Map<string, WarmProcess>()
    for (const { name } of contestants) runners.set(name, await startWarm(PROGRAM, name))
    const length = { rounds: options.quick ? 3 : 15, warm: 1 }
    const race = (inFlight: number) =>
      interleave([...runners.keys()], length, (name) => measure(runners.get(name), { name, inFlight }))
    const alone = await race(1)
    const crowded = await race(64)
    for (const process of runners.values()) process.stop()
    const long = await raceLongLog(options)
    const delay = await raceAnswerDelay(options)
    const wall = (samples: ReadonlyMap<string, readonly Cost[]>, name: string) =>
      (samples.get(name) ?? []).map((cost) => cost.wall)
    const table = [...runners.keys()].map((name) => [
      name,
      ...[alone, crowded].flatMap(({ samples }) => [
        formatNumber(median(wall(samples, name))),
        formatNumber(median((samples.get(name) ?? []).map(({ cpu }) => cpu))),
      ]),
    ])
    return {
      markdown: joinParts(
        makeTable(['contestant', 'µs wall', 'µs cpu', '64 in flight: µs wall', 'µs cpu'], table),
        listFailed([...alone.failed, ...crowded.failed]),
        long.markdown,
        delay.markdown,
      ),
      gates: [
        ...gatesOf((name, many) => wall(many ? crowded.samples : alone.samples, name)),
        ...long.gates,
        ...delay.gates,
      ],
    }
  },
}

export default topic

/** What one event cost, in µs. */
async function measure(
  process: WarmProcess | undefined,
  { name, inFlight }: { name: string; inFlight: number },
): Promise<Cost> {
  if (process === undefined) throw new Error(reasonOf('it did not start'))
  const synced = name === RAW_FULL || (name === HAFT_MACHINE && inFlight === 1)
  const calls = synced ? EVENTS_SYNCED : name === HAFT_BEHIND ? EVENTS_BEHIND : EVENTS
  const { wall, cpu, rss } = await process.measure({ calls, inFlight })
  return { wall: (wall * 1000) / calls, cpu: (cpu * 1000) / calls, rss }
}

function gatesOf(wall: (name: string, many: boolean) => readonly number[]): Gate[] {
  return [
    {
      number: '6a',
      what: 'event stored, written behind, wall × raw node:sqlite WAL NORMAL',
      unit: '×',
      limit: 1.2,
      reach: 0.3,
      measured: pairedRatio(wall(HAFT_BEHIND, false), wall(RAW_NORMAL, false)),
    },
    {
      number: '6b',
      what: 'event durable against the end of the machine, 64 in flight, wall × single-event FULL',
      unit: '×',
      limit: 0.08,
      reach: 0.02,
      measured: pairedRatio(wall(HAFT_MACHINE, true), wall(RAW_FULL, false)),
    },
  ]
}
