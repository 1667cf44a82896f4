import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../src/core/ports/log.ts'
import type { Storage } from '../../src/core/ports/storage.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { joinParts, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Report, RunOptions } from '../lib/topic-shape.ts'

/** What `haft log` and a page of the web ask for. */
const QUESTIONS: readonly [string, (log: Log) => Promise<unknown>][] = [
  [
    'haft log: sessions and the last calls',
    (log) => Promise.all([log.sessions({ limit: 10 }), log.calls({ limit: 30 })]),
  ],
  ["a session's page of events", (log) => log.read({ session: 's_0', limit: 100 })],
  ["a session's last calls", (log) => log.calls({ session: 's_0', limit: 25 })],
  ['calls of a tool', (log) => log.calls({ tool: 'tool_1', limit: 25 })],
  ['calls that failed', (log) => log.calls({ outcome: 'TIMEOUT', limit: 25 })],
  ["a call's story", (log) => log.read({ call: 'c_3' })],
]

const SMALL = 100
const LARGE = 1_000_000

/** The same questions to a log of a hundred events and to one of a million. */
export async function raceLongLog({ quick }: RunOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-bench-log-'))
  const small = fillLog(join(folder, 'small', 'log.db'), SMALL)
  const large = fillLog(join(folder, 'large', 'log.db'), LARGE)
  const rows: { question: string; small: number; large: number; ratio: number }[] = []
  for (const [question, ask] of QUESTIONS) {
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = quick ? 5 : 0; round < 25; round++) {
      times.small.push(await timeOf(() => ask(small.log)))
      times.large.push(await timeOf(() => ask(large.log)))
    }
    rows.push({
      question,
      small: median(times.small),
      large: median(times.large),
      ratio: pairedRatio(times.large, times.small),
    })
  }
  for (const store of [small, large]) store.close()
  rmSync(folder, { recursive: true })
  const table = rows.map(({ question, small, large, ratio }) =>
    [question, small, large, ratio].map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell)),
  )
  return {
    markdown: joinParts(
      '### A long log',
      makeTable(['question', 'ms, 100 events', 'ms, 1,000,000 events', '×'], table),
    ),
    gates: rows.slice(0, 2).map(({ question, ratio }) => ({
      number: 'log',
      what: `${question}, a million events × a hundred`,
      unit: '×',
      limit: 3,
      reach: 1.5,
      measured: ratio,
    })),
  }
}

/** A log whose first session has half of all events, as that of somebody who never starts a new one. */
function fillLog(path: string, events: number): Storage {
  const storage = openSqliteStorage({ path })
  const { log } = storage
  for (let i = 0; i < events / 4; i++) {
    const of = { session: `s_${i % 2 === 0 ? 0 : i % 1_000}`, call: `c_${i}` }
    const result =
      i % 10 === 0
        ? ({ ok: false, code: 'TIMEOUT', text: 'slow' } as const)
        : ({ ok: true, text: 'done', data: null } as const)
    log.append({ type: 'call-start', ...of, name: `tool_${i % 20}`, arguments: { path: `src/file-${i}.ts` } })
    log.append({
      type: 'call-judged',
      ...of,
      decision: 'allow',
      rule: 'effect none',
      reason: 'it changes nothing',
      trace: [],
    })
    log.append({ type: 'call-run', ...of, clearedBy: 'effect none' })
    log.append({ type: 'call-end', ...of, result, duration: 1 })
  }
  return storage
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
