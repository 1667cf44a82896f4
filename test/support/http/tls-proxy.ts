import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'
import { makeCertificate } from '../web/certificate.ts'

/** A reverse proxy on this machine that speaks TLS to its clients. */
export interface TlsProxy {
  /** `https://localhost:PORT` */
  readonly url: string
  /** Where it passes requests on to. */
  port: number
  /** The Host that it sends; that of the client when left out. */
  host: string | undefined
}

/** Starts one, whose certificate this process trusts from now on; it is closed when the test ends. */
export async function startTlsProxy(): Promise<TlsProxy> {
  const made = makeCertificate('localhost', 'evil.test')
  setDefaultCACertificates([...getCACertificates('default'), made.cert])
  const server = createServer(made, (incoming, outgoing) => {
    const { url: path = '/', method = 'GET', headers } = incoming
    const { host = headers.host, port } = proxy
    const forwarded = { 'x-forwarded-host': headers.host, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
    const passed = request({ port, path, method, host: '127.0.0.1', headers: { ...headers, ...forwarded, host } })
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const proxy: TlsProxy = { url: `https://localhost:${port}`, port: 0, host: undefined }
  return proxy
}
