import { interleave, type Rounds } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Gate, RunOptions, Topic } from '../lib/topic-shape.ts'
import { AHEAD, BASH, DIRECT, NETWORK_AHEAD, OVERLAY, openField } from './contestants.ts'

const topic: Topic = {
  about:
    'The wall time of `bash -c true` in a sandbox, from the order to the result. Haft with its whole profile: an empty root, limits, a filter; changes applied where there is an overlay.',
  async run(options) {
    const field = await openField(options.peers)
    try {
      const rounds = await race(field.ways, options)
      return { markdown: describe(rounds), gates: makeGates(rounds) }
    } finally {
      await field.close()
    }
  },
}

export default topic

type Ways = Awaited<ReturnType<typeof openField>>['ways']

function race(ways: Ways, { quick }: RunOptions): Promise<Rounds<number>> {
  const racing = new Map(ways.map((way) => [way.name, way]))
  return interleave([...racing.keys()], { rounds: quick ? 9 : 31, warm: 2 }, async (name) => {
    const way = racing.get(name)
    await way?.settle?.()
    const started = performance.now()
    await way?.run()
    return performance.now() - started
  })
}

function describe({ samples, failed }: Rounds<number>): string {
  const baseline = samples.get(BASH) ?? []
  const rows = [...samples].map(([name, times]) => [
    name,
    formatNumber(median(times), 1),
    formatNumber(Math.min(...times), 1),
    formatNumber(pairedRatio(times, baseline)),
  ])
  return joinParts(makeTable(['command', 'median ms', 'best ms', '× bash -c true'], rows), listFailed(failed))
}

function makeGates({ samples }: Rounds<number>): Gate[] {
  const ratio = (name: string) => pairedRatio(samples.get(name) ?? [], samples.get(BASH) ?? [])
  const gate = (number: string, what: string, more: Pick<Gate, 'limit' | 'reach' | 'measured'>): Gate => ({
    number,
    what: `${what}, wall × bash -c true`,
    unit: '×',
    ...more,
  })
  return [
    gate('5a', 'a fresh sandbox, whole profile', { limit: 6, reach: 4, measured: ratio(DIRECT) }),
    gate('5a', 'the same with the overlay', { limit: 8, reach: 6, measured: ratio(OVERLAY) }),
    gate('5b', 'a sandbox started ahead, used once', { limit: 1.5, reach: 1, measured: ratio(AHEAD) }),
    gate('5b', 'the same where the settings open hosts', { limit: 1.5, reach: 1, measured: ratio(NETWORK_AHEAD) }),
  ]
}
