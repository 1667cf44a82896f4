// A server in a process of its own: node server-process.ts KIND FOLDER [BYTES]. Sends its port, then answers every message with its cost so far.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openHome } from '../../src/app/home.ts'
import { listen } from '../../src/server/start-server.ts'
import { HAFT } from './names.ts'

const [kind = '', folder = '', bytes = '1000'] = process.argv.slice(2)

async function startHaft(): Promise<object> {
  const listening = await listen({ port: 0 })
  const home = await openHome({ home: `${folder}/home`, wait: true })
  await home.host(`${folder}/workspace`)
  const options = { folder: `${folder}/home`, workspace: `${folder}/workspace`, version: 'bench', page: folder }
  const { token } = listening.serve(home, { ...options, onFault: console.error })
  return { port: listening.port, token }
}

/** The floor: Node's own server, which sends bytes that it keeps. */
async function startRaw(): Promise<object> {
  const kept = Buffer.alloc(Number(bytes), 0x20)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': kept.length }
  const server = createServer((_, outgoing) => outgoing.writeHead(200, headers).end(kept))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, token: 'none' }
}

process.send?.(kind === HAFT ? await startHaft() : await startRaw())
process.on('message', () => {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpu: user + system, rss, heap: heapUsed })
})
