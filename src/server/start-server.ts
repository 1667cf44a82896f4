import { createServer as createHttpServer, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Home } from '../app/home.ts'
import type { ListeningServer, ListenOptions, RunningServer, ServeOptions } from '../app/serve/http-server.ts'
import { createApp } from './app.ts'
import { createGate, type Listener, tooMany, wrongToken } from './gate.ts'
import { keepOwnHost } from './own-host.ts'
import { sendRefusal } from './request/send.ts'
import { createCodes } from './security/codes.ts'
import { isLoopback, listOwnHosts } from './security/own-hosts.ts'
import { createSlowDown } from './security/slow-down.ts'
import { checkToken, createTokenCheck, openTokenFile } from './security/token.ts'
import { createStaticFiles } from './static/static-files.ts'
import { createStreams } from './stream/streams.ts'

type ConnectionLimits = Pick<
  ServerOptions,
  | 'headersTimeout'
  | 'requestTimeout'
  | 'keepAliveTimeout'
  | 'connectionsCheckingInterval'
  | 'maxHeaderSize'
  | 'insecureHTTPParser'
  | 'requireHostHeader'
>

/** Limits of connections; times are in milliseconds. A head or a body that comes slowly ends its connection. */
export const LIMITS: ConnectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  insecureHTTPParser: false,
  requireHostHeader: false,
}

/** How long answers under way may take when the server ends, in milliseconds. */
const GRACE = 1_000

/** Takes a port. Rejects where it cannot be had, with the code EADDRINUSE where it is in use. */
export async function listen(
  { hostname = '127.0.0.1', port }: ListenOptions,
  limits: ConnectionLimits = LIMITS,
): Promise<ListeningServer> {
  const ready = Promise.withResolvers<Listener>()
  let listener: Listener | undefined
  const answers: Answers = new WeakMap()
  const server = createHttpServer(limits, (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing)
    if (listener) listener(incoming, outgoing)
    else ready.promise.then((made) => made(incoming, outgoing))
  })
  server.on('clientError', (error, socket) => refuseBroken(error, socket, answers.get(socket)))
  await bind(server, { hostname, port })
  const { port: taken } = server.address() as AddressInfo
  return {
    hostname,
    port: taken,
    isOpenToAll: !isLoopback(hostname),
    serve(home, options) {
      const { running, handle } = serveHome(home, options, { server, hostname, port: taken })
      listener = handle
      ready.resolve(handle)
      return running
    },
    close: () => void server.close(),
  }
}

function bind(server: Server, { hostname, port }: Required<ListenOptions>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: hostname, port, backlog: 1_024 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The last answer of each connection. */
type Answers = WeakMap<Duplex, ServerResponse>

/** Answers what is not HTTP, or too large, and ends the connection. A request that has its answer gets no second one. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex, last: ServerResponse | undefined): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (last && !mayRefuse(last)) return void (last.headersSent ? socket.end() : socket.destroy())
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** True between two requests, and while the body of an unanswered one is read: an answer now is the answer to what is broken. */
function mayRefuse({ headersSent, writableFinished, req: { complete } }: ServerResponse): boolean {
  return complete ? writableFinished : !headersSent
}

interface Bound {
  readonly server: Server
  readonly hostname: string
  readonly port: number
}

function serveHome(
  home: Home,
  options: ServeOptions,
  { server, hostname, port }: Bound,
): { running: RunningServer; handle: Listener } {
  const token = options.token === undefined ? openTokenFile(options.folder) : checkToken(options.token)
  const codes = createCodes()
  const slowDown = createSlowDown()
  const streams = createStreams(home)
  const own = listOwnHosts(hostname, port, options.publicUrl)
  const url = `http://${urlHost(hostname)}:${port}`
  const makeLink = () => {
    const { code, expiresAt } = codes.make()
    return { link: `${options.publicUrl ?? url}/#code=${code}`, expiresAt }
  }
  const signIn = async (code: string) => {
    if (codes.use(code)) return token
    if (!(await slowDown.wait())) throw tooMany()
    return undefined
  }
  const { workspace, version, onFault } = options
  const ownHost = keepOwnHost(home, workspace)
  const app = createApp({ home, workspace, ownHost, version, streams, signIn, makeLink, onFault })
  const serveFile = createStaticFiles(options.page)
  const isToken = createTokenCheck(token)
  const refuseToken = async (outgoing: ServerResponse) =>
    sendRefusal(outgoing, (await slowDown.wait()) ? wrongToken() : tooMany())
  const handle = createGate({ own, isToken, refuseToken, app, serveFile })
  const stopDelegates = answerUnwatched(home, streams)
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      stopDelegates()
      ownHost.close()
      streams.stop()
      slowDown.stop()
      const timer = setTimeout(() => server.closeAllConnections(), GRACE)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      server.closeIdleConnections()
    })
  let closing: Promise<void> | undefined
  return {
    handle,
    running: {
      url,
      token,
      makeLink,
      close() {
        closing ??= close()
        return closing
      },
    },
  }
}

/** The name by which a browser reaches the server. */
function urlHost(hostname: string): string {
  if (hostname === '0.0.0.0' || hostname === '::' || isLoopback(hostname))
    return hostname === '::1' ? '[::1]' : '127.0.0.1'
  return hostname.includes(':') ? `[${hostname}]` : hostname
}

/** Answers for pages that are not open: a tool that asks the app to open or show something would wait for nobody. */
function answerUnwatched(home: Home, { isWatched }: { isWatched(session: string): boolean }): () => void {
  return home.on((event) => {
    if (event.type === 'delegate-request' && !isWatched(event.session))
      home.delegates
        .answer(event.delegate, { done: false, reason: 'no page is open that could do it' })
        .catch(() => undefined)
  })
}
