// Runs beside a command that has a network, in the network namespace of the command and a sandbox of its own. It decides
// nothing: every connection is carried to Haft, outside, as a stream of HTTP/2 over an inherited socket pair, and Haft opens or
// refuses it. Its argument is the descriptor of the socket pair. It reports the port of its proxy to Haft, and then takes orders of it.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect as connectSession } from 'node:http2'
import { type AddressInfo, connect, createServer as createPort, Socket } from 'node:net'
import { Duplex } from 'node:stream'

const [descriptor = ''] = process.argv.slice(2)
const carrier = new Socket({ fd: Number(descriptor), readable: true, writable: true })
const session = connectSession('http://haft', { createConnection: () => carrier })
session.on('error', () => process.exit(1)).on('close', () => process.exit(0))

/** Haft refused a connection, or could not open it. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

/** Asks Haft for a connection to `host:port`. */
function open(authority: string, more: Record<string, string> = {}): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'CONNECT', ':authority': authority, ...more }, { endStream: false })
    stream.on('error', reject)
    stream.on('response', (headers) => {
      const status = Number(headers[':status'])
      if (status === 200) return resolve(stream)
      stream.close()
      reject(new Refusal(status, decodeURIComponent(String(headers['haft-reason'] ?? 'refused'))))
    })
  })
}

function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => from.readableEnded || to.destroy())
    from.pipe(to)
  }
}

/** Passes only buffers on, one by one: Node 24 garbles strings that are written to a stream of HTTP/2 together with buffers. */
function inBuffers(stream: Duplex): Duplex {
  const wrapped = new Duplex({
    read: () => void stream.resume(),
    write: (chunk: Buffer, _encoding, done) => void stream.write(chunk, done),
    final: (done) => void stream.end(done),
    destroy(error, done) {
      stream.destroy()
      done(error)
    },
  })
  stream.on('data', (chunk: Buffer) => wrapped.push(chunk) || stream.pause())
  stream.on('end', () => wrapped.push(null))
  stream.on('error', (error) => wrapped.destroy(error))
  stream.on('close', () => stream.readableEnded || wrapped.destroy())
  return wrapped
}

function refusalOf(thrown: unknown): { readonly status: number; readonly text: string; readonly line: string } {
  const status = thrown instanceof Refusal ? thrown.status : 502
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return { status, text: `Haft: ${text}\n`, line: `Haft: ${text}`.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 400) }
}

/** The most connections of programs to one port: each takes memory, and this process has little. */
const MAX_CLIENTS = 512

const proxy = createServer({ keepAlive: true }, forward)

/** A tunnel, for https. */
proxy.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
  client.on('error', () => undefined)
  open(asked.url ?? '').then(
    (stream) => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) stream.write(head)
      join(client, stream)
    },
    (thrown: unknown) => {
      const { status, text, line } = refusalOf(thrown)
      const length = Buffer.byteLength(text)
      client.end(
        `HTTP/1.1 ${status} ${line}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
      )
    },
  )
})

/** Headers that belong to one connection. */
const OWN_HEADERS = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** A request for http. The host is that of the address, whatever the Host header says. */
function forward(asked: IncomingMessage, response: ServerResponse): void {
  const url = URL.parse(asked.url ?? '')
  const refuse = (thrown: unknown) => {
    const { status, text, line } = refusalOf(thrown)
    if (response.headersSent) return void response.destroy()
    response.writeHead(status, line, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(text)
  }
  if (url?.protocol !== 'http:') {
    refuse(new Refusal(400, 'this is the proxy for commands; it takes http:// addresses and CONNECT'))
    return
  }
  const kept = Object.entries(asked.headers).filter(([name]) => !OWN_HEADERS.test(name))
  const chunked = asked.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }
  open(`${url.hostname}:${url.port === '' ? 80 : url.port}`).then((stream) => {
    const sent = request({
      createConnection: () => inBuffers(stream),
      method: asked.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...Object.fromEntries(kept), ...chunked, host: url.host, connection: 'close' },
    })
    sent.on('error', refuse)
    sent.on('response', (answer) => {
      const headers = Object.entries(answer.headers).filter(
        ([name]) => !/^(connection|keep-alive|transfer-encoding)$/i.test(name),
      )
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, Object.fromEntries(headers))
      answer.on('error', () => response.destroy()).pipe(response)
    })
    response.on('close', () => sent.destroy())
    asked.pipe(sent)
  }, refuse)
}

/** Reports that the proxy listens, and takes orders of Haft, one a line. */
async function takeOrders(port: number): Promise<void> {
  const control = await open('haft', { 'haft-part': 'control', 'haft-port': `${port}` })
  let rest = ''
  control.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) void follow(line)
  })
}

/** Follows an order: `7 listen 127.0.0.1:4873`, which is answered once that is done, or `8 reach 3000`, which is answered with a connection to that port. */
async function follow(line: string): Promise<void> {
  const [id = '', order = '', target = ''] = line.split(' ')
  if (order === 'listen') {
    await listenLocal(target)
    await open('haft', { 'haft-part': 'done', 'haft-id': id })
    return
  }
  const inside = await connectInside(Number(target)).catch(() => undefined)
  const part = inside === undefined ? 'failed' : 'done'
  const stream = await open('haft', { 'haft-part': part, 'haft-id': id }).catch(() => undefined)
  if (inside && stream) join(inside, stream)
  else inside?.destroy()
}

/** Servers listen on either address of this machine. */
async function connectInside(port: number): Promise<Socket> {
  return tryInside('127.0.0.1', port).catch(() => tryInside('::1', port))
}

function tryInside(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** Listens on an address of this machine that exists outside; one that is taken inside stays as it is. */
function listenLocal(address: string): Promise<void> {
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(address) ?? []
  const server = createPort((client) => {
    client.on('error', () => undefined)
    open(address).then(
      (stream) => join(client, stream),
      () => client.destroy(),
    )
  })
  server.maxConnections = MAX_CLIENTS
  return new Promise((resolve) => {
    server.on('error', () => resolve())
    server.listen(Number(port), host, resolve)
  })
}

proxy.maxConnections = MAX_CLIENTS
proxy.listen(0, '127.0.0.1', () => void takeOrders((proxy.address() as AddressInfo).port))
