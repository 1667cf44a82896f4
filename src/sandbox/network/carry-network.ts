import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import { ToolError } from '../../core/call/result.ts'
import { joinConnections } from '../../core/network/join-connections.ts'
import type { Connection } from '../../core/ports/http.ts'
import type { RunNetwork } from '../../core/ports/sandbox.ts'

/** The outer end of a sandbox's network. */
export interface CarriedNetwork {
  /** Resolves to the port of the forwarder's proxy once it listens; to undefined when it ended before that. */
  readonly begun: Promise<number | undefined>
  /** Lets a run reach its network; until then every connection is refused. Called once, after `begun`; resolves when the run's local addresses exist inside. */
  serve(network: RunNetwork): Promise<void>
  /** Closes all connections of the run. May be called twice. */
  close(): void
}

/** The most connections of one run at a time. */
const MAX_CONNECTIONS = 256

/** The time that the forwarder may take to follow an order, in milliseconds. */
const ORDER_TIME = 10_000

/** Carries the network of a sandbox over the outer end of its socket pair. What comes from inside is not trusted: each stream names a host and a port, and the run's network decides. */
export function carryNetwork(carrier: Duplex): CarriedNetwork {
  const open = new Set<Connection>()
  const waiting = new Map<string, (stream: Connection | undefined) => void>()
  const begun = Promise.withResolvers<number | undefined>()
  let network: RunNetwork | undefined
  let orders: ServerHttp2Stream | undefined
  let last = 0
  /** Sends the forwarder an order, which it answers with a stream; undefined when it does not follow it. */
  const send = (order: string) =>
    new Promise<Connection | undefined>((resolve) => {
      const id = String(++last)
      const timer = setTimeout(() => waiting.get(id)?.(undefined), ORDER_TIME)
      waiting.set(id, (stream) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(stream)
      })
      if (orders === undefined || orders.destroyed) waiting.get(id)?.(undefined)
      else orders.write(Buffer.from(`${id} ${order}\n`))
    })
  const reach = async (port: number) => {
    const connection = await send(`reach ${port}`)
    if (connection === undefined) throw new ToolError('UNAVAILABLE', `Nothing listens on port ${port} of this task.`)
    return connection
  }
  const takeOwn = (stream: ServerHttp2Stream, part: string, headers: IncomingHttpHeaders) => {
    const id = String(headers['haft-id'])
    stream.respond({ ':status': 200 })
    if (part === 'control' && orders === undefined) {
      orders = stream
      begun.resolve(Number(headers['haft-port']))
    } else if (part === 'done' && waiting.has(id)) waiting.get(id)?.(stream)
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
    if (part !== undefined) return takeOwn(stream, String(part), headers)
    if (network === undefined) return refuse(stream, 403, 'nothing runs here yet')
    void connectStream(stream, String(headers[':authority']), { network, open })
  })
  server.on('sessionError', () => undefined)
  server.on('session', (session) => session.on('error', () => undefined))
  carrier.on('error', () => undefined).on('close', () => begun.resolve(undefined))
  server.emit('connection', carrier)
  return {
    begun: begun.promise,
    async serve(given) {
      network = given
      const added = await Promise.all(given.local.map(({ host, port }) => send(`listen ${host}:${port}`)))
      for (const stream of added) stream?.destroy()
      given.begun?.(reach)
    },
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
