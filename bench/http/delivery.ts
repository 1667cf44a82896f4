import { createClient } from '../../src/client/client.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { joinParts } from '../lib/markdown.ts'
import { formatNumber, median } from '../lib/numbers.ts'
import type { Report, RunOptions } from '../lib/topic-shape.ts'
import { openStream } from './load.ts'
import { HAFT } from './names.ts'
import { startServer } from './server-child.ts'

const STREAMS = 200
/** How long an event may wait for its commit, in milliseconds. */
const COMMIT = 50

/** How long an event takes from the process that appends it to the readers of another, and 200 sessions that stream at once. */
export async function raceDelivery({ quick }: RunOptions): Promise<Report> {
  const server = await startServer(HAFT)
  const { port, token, folder } = server
  const { log, close } = openSqliteStorage({ path: `${folder}/home/log.db` })
  const sockets = await Promise.all(Array.from({ length: STREAMS }, () => openStream({ port, token })))
  const delays: number[] = []
  for (let round = 0; round < (quick ? 10 : 40); round++) {
    // Not in step with the commits.
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * COMMIT))
    const mark = `mark-${round}-`
    const began = performance.now()
    log.append({ type: 'task-cancel', session: 's', call: mark })
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            const hear = (piece: Buffer) => {
              if (!piece.includes(mark)) return
              socket.off('data', hear)
              delays.push(performance.now() - began)
              resolve()
            }
            socket.on('data', hear)
          }),
      ),
    )
  }
  for (const socket of sockets) socket.destroy()
  close()
  const streamed = await streamSessions({ port, token })
  server.stop()
  const middle = median(delays)
  return {
    markdown: joinParts(
      '### Delivery',
      `From an append in one process to ${STREAMS} streams of another: median ${formatNumber(middle)} ms, 99th percentile ${formatNumber(percentile(delays, 0.99))} ms.`,
      streamed,
    ),
    gates: [
      {
        number: '8c',
        what: `append to delivery by another process, median of ${STREAMS} streams`,
        unit: 'ms',
        limit: 3 * COMMIT,
        reach: 1.2 * COMMIT,
        measured: middle,
      },
    ],
  }
}

/** Runs 200 sessions with `demo` at once, each followed by a reader. */
async function streamSessions({ port, token }: { readonly port: number; readonly token: string }): Promise<string> {
  const client = createClient({ url: `http://127.0.0.1:${port}`, token })
  const delays: number[] = []
  await Promise.all(
    Array.from({ length: STREAMS }, async (_, at) => {
      const { session } = await client.createSession({
        message: `write ${at}.txt with "x" then list files`,
        model: 'demo',
      })
      for await (const event of client.events({ session: session.session })) {
        if (event.cursor !== undefined) delays.push(Date.now() - event.at)
        if (event.type === 'run-end') break
      }
    }),
  )
  return `${STREAMS} sessions of demo at once, ${delays.length} committed events, from the time of an event to its reader: median ${formatNumber(median(delays))} ms, 99th percentile ${formatNumber(percentile(delays, 0.99))} ms.`
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
