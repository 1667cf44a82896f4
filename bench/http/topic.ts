import { interleave } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Gate, Report, RunOptions, Topic } from '../lib/topic-shape.ts'
import { raceDelivery } from './delivery.ts'
import { openStream, sendRequests } from './load.ts'
import { raceSessions } from './many-sessions.ts'
import { HAFT, RAW } from './names.ts'
import { type ServerChild, startServer } from './server-child.ts'

const topic: Topic = {
  about:
    'The list of tools over 32 connections that are kept alive; 1,000 idle streams; events delivered by another process; memory after many sessions.',
  async run(options: RunOptions): Promise<Report> {
    const tools = await raceTools(options)
    const idle = await weighIdle()
    const delivery = await raceDelivery(options)
    const sessions = await raceSessions(options)
    const parts = [tools, idle, delivery, sessions]
    return { markdown: joinParts(...parts.map(({ markdown }) => markdown)), gates: parts.flatMap(({ gates }) => gates) }
  },
}

export default topic

async function raceTools({ quick }: RunOptions): Promise<Report> {
  const haft = await startServer(HAFT)
  const headers = { Authorization: `Bearer ${haft.token}` }
  const bytes = (await (await fetch(`http://127.0.0.1:${haft.port}/api/tools`, { headers })).arrayBuffer()).byteLength
  const servers = new Map<string, ServerChild>([
    [RAW, await startServer(RAW, bytes)],
    [HAFT, haft],
  ])
  const requests = quick ? 2_000 : 10_000
  const { samples, failed } = await interleave(
    [...servers.keys()],
    { rounds: quick ? 3 : 9, warm: 1 },
    async (name) => {
      const server = servers.get(name)
      if (server === undefined) throw new Error('it did not start')
      const before = await server.used()
      await sendRequests({ ...server, requests })
      return ((await server.used()).cpu - before.cpu) / requests
    },
  )
  for (const server of servers.values()) server.stop()
  const rows = [...samples].map(([name, values]) => [name, formatNumber(median(values))])
  const gate: Gate = {
    number: '8a',
    what: 'GET /api/tools, cpu × raw node http sending kept bytes',
    ...{ unit: '×', limit: 1.6, reach: 1.15 },
    measured: pairedRatio(samples.get(HAFT) ?? [], samples.get(RAW) ?? []),
  }
  return {
    markdown: joinParts(makeTable([`${bytes} bytes`, 'µs cpu a request'], rows), listFailed(failed)),
    gates: [gate],
  }
}

const IDLE = 1_000

/** What idle streams weigh: memory before and after a thousand, some being there already. */
async function weighIdle(): Promise<Report> {
  const server = await startServer(HAFT)
  const open = (count: number) => Promise.all(Array.from({ length: count }, () => openStream(server)))
  const warm = await open(50)
  const before = await server.used()
  const sockets: Awaited<ReturnType<typeof open>> = []
  for (let at = 0; at < IDLE; at += 50) sockets.push(...(await open(50)))
  const after = await server.used()
  for (const socket of [...warm, ...sockets]) socket.destroy()
  server.stop()
  const each = (after.rss - before.rss) / IDLE / 1024
  return {
    markdown: joinParts(
      '### Idle streams',
      `${IDLE} idle streams: ${formatNumber(each)} KB of RSS each, ${formatNumber((after.heap - before.heap) / IDLE / 1024)} KB of heap.`,
    ),
    gates: [{ number: '8b', what: 'idle stream of events, RSS', unit: 'KB', limit: 30, reach: 22, measured: each }],
  }
}
