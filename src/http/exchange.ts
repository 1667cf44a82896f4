import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { portOfUrl } from '../core/network/web-host.ts'
import { type ConnectOptions, connectChecked } from './connect-checked.ts'

/** One request to one origin, without redirects. */
export interface Exchange {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** The most bytes of all response headers. */
const HEADER_BYTES = 64 * 1024

/** The time that a server may be silent in the middle of a response, in milliseconds. */
const IDLE_TIME = 20_000

/** Sends a request over a connection of its own to a checked address, and passes the response to `read`. The connection is closed afterwards. */
export async function exchange<Result>(
  { url, method, headers, body }: Exchange,
  options: ConnectOptions,
  read: (response: Dispatcher.ResponseData) => Promise<Result>,
): Promise<Result> {
  const client = new Client(url.origin, {
    connect: createConnector(url, options),
    maxHeaderSize: HEADER_BYTES,
    bodyTimeout: IDLE_TIME,
    allowH2: false,
  })
  try {
    const { signal } = options
    const path = `${url.pathname}${url.search}`
    return await read(await client.request({ path, method, headers, body: body ?? null, signal }))
  } finally {
    await client.destroy()
  }
}

/** Connects to the checked address. Certificate and server name are those of the host in the URL. */
function createConnector(url: URL, options: ConnectOptions): buildConnector.connector {
  return ({ protocol }, callback) => {
    const target = { host: url.hostname.replace(/\.$/, ''), port: portOfUrl(url) }
    connectChecked(target, options)
      .then((socket) => (protocol === 'https:' ? secure(socket, target.host, options) : socket))
      .then(
        (socket) => callback(null, socket),
        (thrown: unknown) => callback(thrown instanceof Error ? thrown : new Error(String(thrown)), null),
      )
  }
}

function secure(socket: Socket, host: string, { network, signal }: ConnectOptions): Promise<Socket> {
  const isName = !host.startsWith('[') && !/^[\d.]+$/.test(host)
  const { certificates } = network
  return new Promise((resolve, reject) => {
    const made = connectTls({
      socket,
      host: host.replace(/^\[|\]$/g, ''),
      ...(isName && { servername: host }),
      ...(certificates && { ca: [...certificates] }),
      ALPNProtocols: ['http/1.1'],
    })
    const onAbort = () => made.destroy(new Error('the call was ended'))
    signal.addEventListener('abort', onAbort, { once: true })
    made.once('error', reject)
    made.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort)
      made.off('error', reject)
      made.on('error', () => undefined)
      resolve(made)
    })
  })
}
