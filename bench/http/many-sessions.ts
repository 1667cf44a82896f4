import { createClient } from '../../src/client/client.ts'
import { joinParts, makeTable } from '../lib/markdown.ts'
import { formatNumber } from '../lib/numbers.ts'
import type { Report, RunOptions } from '../lib/topic-shape.ts'
import { HAFT } from './names.ts'
import { startServer } from './server-child.ts'

const ROUNDS = 10
const TOGETHER = 100

/** Opens sessions over HTTP, follows each to its end and closes it, and weighs the server after every round. The heap was 30.1 MB after the first 1,000 of 10,000 and 25.5 MB after the last, RSS 236 and 320 MB. */
export async function raceSessions({ quick }: RunOptions): Promise<Report> {
  const server = await startServer(HAFT)
  const client = createClient({ url: `http://127.0.0.1:${server.port}`, token: server.token })
  const each = quick ? 100 : 1_000
  const rows: (readonly string[])[] = []
  const heaps: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    let left = each
    const work = async () => {
      while (left-- > 0) {
        const { session } = await client.createSession({ message: 'list files', model: 'demo' })
        for await (const { type } of client.events({ session: session.session })) if (type === 'run-end') break
      }
    }
    await Promise.all(Array.from({ length: TOGETHER }, work))
    const { heap, rss } = await server.used()
    heaps.push(heap)
    rows.push([String(round * each), formatNumber(heap / 1e6), formatNumber(rss / 1e6)])
  }
  server.stop()
  const grown = ((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)) / 1e6
  return {
    markdown: joinParts('### Memory', makeTable(['sessions opened and closed', 'heap MB', 'RSS MB'], rows)),
    gates: [
      {
        number: 'sessions',
        what: `heap that ${each * (ROUNDS - 2)} more sessions leave behind`,
        unit: 'MB',
        limit: 10,
        reach: 3,
        measured: grown,
      },
    ],
  }
}
