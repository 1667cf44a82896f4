import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import { ToolError } from '../../core/call/result.ts'
import { joinConnections } from '../../core/network/join-connections.ts'
import type { Connection } from '../../core/ports/http.ts'
import type { RunNetwork } from '../../core/ports/sandbox.ts'

/** The outer end of a run's network. */
export interface CarriedNetwork {
  /** Closes all connections of the run. May be called twice. */
  close(): void
}

/** The most connections of one run at a time. */
const MAX_CONNECTIONS = 256

/** The time that a connection into the sandbox may take, in milliseconds. */
const REACH_TIME = 10_000

/** Serves the network of a run over the outer end of its socket pair. What comes from inside is not trusted: each stream names a host and a port, and `network` decides. */
export function carryNetwork(carrier: Duplex, network: RunNetwork): CarriedNetwork {
  const open = new Set<Connection>()
  const waiting = new Map<string, (stream: Connection | undefined) => void>()
  let orders: ServerHttp2Stream | undefined
  let last = 0
  /** Connects to a port inside: the forwarder is told, and answers with a stream of its own. */
  const reach = (port: number) =>
    new Promise<Connection>((resolve, reject) => {
      const id = String(++last)
      const timer = setTimeout(() => waiting.get(id)?.(undefined), REACH_TIME)
      waiting.set(id, (stream) => {
        clearTimeout(timer)
        waiting.delete(id)
        if (stream) resolve(stream)
        else reject(new ToolError('UNAVAILABLE', `Nothing listens on port ${port} of this task.`))
      })
      if (orders === undefined || orders.destroyed) waiting.get(id)?.(undefined)
      else orders.write(Buffer.from(`${id} ${port}\n`))
    })
  const takeOwn = (stream: ServerHttp2Stream, part: string, id: string) => {
    stream.respond({ ':status': 200 })
    if (part === 'control' && orders === undefined) {
      orders = stream
      network.begun?.(reach)
    } else if (part === 'reached' && waiting.has(id)) waiting.get(id)?.(stream)
    else {
      waiting.get(id)?.(undefined)
      stream.close()
    }
  }
  const server = createServer({ settings: { maxConcurrentStreams: MAX_CONNECTIONS } })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    const part = headers['haft-part']
    if (headers[':method'] !== 'CONNECT') return refuse(stream, 405, 'only CONNECT is understood here')
    if (part !== undefined) return takeOwn(stream, String(part), String(headers['haft-id']))
    void connectStream(stream, String(headers[':authority']), { network, open })
  })
  server.on('sessionError', () => undefined)
  server.on('session', (session) => session.on('error', () => undefined))
  carrier.on('error', () => undefined)
  server.emit('connection', carrier)
  return {
    close() {
      for (const connection of open) connection.destroy()
      for (const answer of [...waiting.values()]) answer(undefined)
      carrier.destroy()
    },
  }
}

interface Carrying {
  readonly network: RunNetwork
  readonly open: Set<Connection>
}

async function connectStream(stream: ServerHttp2Stream, authority: string, { network, open }: Carrying): Promise<void> {
  const [, host, port] = /^(\[[^\]]*\]|[^:\s]+):(\d{1,5})$/.exec(authority) ?? []
  if (host === undefined || port === undefined)
    return refuse(stream, 400, `${JSON.stringify(authority.slice(0, 200))} is not a host with a port`)
  try {
    const connection = await network.connect({ host, port: Number(port) })
    if (stream.destroyed) return void connection.destroy()
    open.add(connection)
    connection.on('close', () => open.delete(connection))
    stream.respond({ ':status': 200 })
    joinConnections(stream, connection)
  } catch (thrown) {
    const isRefused = thrown instanceof ToolError && thrown.code === 'BLOCKED'
    refuse(stream, isRefused ? 403 : 502, thrown instanceof Error ? thrown.message : String(thrown))
  }
}

function refuse(stream: ServerHttp2Stream, status: number, reason: string): void {
  if (stream.destroyed) return
  stream.respond({ ':status': status, 'haft-reason': encodeURIComponent(reason.slice(0, 1_000)) }, { endStream: true })
}
