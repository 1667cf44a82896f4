import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { joinParts } from '../lib/markdown.ts'
import { formatNumber, median } from '../lib/numbers.ts'
import type { Report, RunOptions } from '../lib/topic-shape.ts'

/** The clock that processes of one machine share, in milliseconds. */
const now = (): number => performance.timeOrigin + performance.now()

/** How long it takes until a process that waits learns of an event that another one committed. */
export async function raceAnswerDelay({ quick }: RunOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-bench-answer-'))
  const path = join(folder, 'log.db')
  const { log, close } = openSqliteStorage({ path })
  const child = spawn(process.execPath, [import.meta.filename, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  const delays: number[] = []
  for (let round = 0; round < (quick ? 20 : 100); round++) {
    log.append({ type: 'task-cancel', session: 's', call: `c${round}` })
    await log.flush()
    const committed = now()
    const { value } = await lines.next()
    delays.push(Math.max(0, Number(value) - committed))
  }
  child.kill()
  await once(child, 'close')
  close()
  rmSync(folder, { recursive: true })
  const slowest = Math.max(...delays)
  return {
    markdown: joinParts(
      '### Waking another process',
      `From a commit to the process that waits for it: median ${formatNumber(median(delays))} ms, slowest ${formatNumber(slowest)} ms.`,
    ),
    gates: [
      {
        number: 'wake',
        what: 'commit to another process, slowest',
        unit: 'ms',
        limit: 300,
        reach: 20,
        measured: slowest,
      },
    ],
  }
}

/** The process that waits: prints when it learns of each event. */
async function wait(path: string): Promise<void> {
  const { log } = openSqliteStorage({ path })
  const events = log.follow()
  const next = events.next()
  process.stdout.write('ready\n')
  await next
  process.stdout.write(`${now()}\n`)
  for await (const _ of events) process.stdout.write(`${now()}\n`)
}

if (import.meta.main) await wait(process.argv[2] ?? '')
