import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Network } from '../../../src/index.ts'
import { makeCertificate } from './certificate.ts'

/** A network of the test's own: names are looked up in a table, and every address leads to servers on loopback. */
export interface TestNetwork extends Network {
  /** The names that were looked up, in order. */
  readonly lookups: string[]
  /** The addresses that connections were opened to, in order: `93.184.216.34:80`. */
  readonly connected: string[]
}

/** The addresses of a name, for each lookup in turn; the last answer stays. */
export type Answers = Readonly<Record<string, readonly (readonly string[])[]>>

/** Opens a network whose servers answer all requests by the listener: in the clear, and encrypted on port 443. */
export async function openTestNetwork(answers: Answers, listener: RequestListener): Promise<TestNetwork> {
  const names = Object.keys(answers).filter((name) => !name.includes('*'))
  const { key, cert } = makeCertificate('localhost', ...names)
  const plain = await listen(createServer(listener))
  const secure = await listen(createSecureServer({ key, cert }, listener))
  const lookups: string[] = []
  const connected: string[] = []
  return {
    lookups,
    connected,
    certificates: [cert],
    async resolve(name) {
      const given = answers[name] ?? []
      const nth = lookups.filter((one) => one === name).length
      lookups.push(name)
      const found = given[Math.min(nth, given.length - 1)] ?? []
      if (found.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
      return found
    },
    connect(address, port) {
      connected.push(`${address}:${port}`)
      return connect({ host: '127.0.0.1', port: port === 443 ? secure : plain })
    },
  }
}

/** Starts a server on loopback that ends with the test, and returns its port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server on a port has an address with a port.
  return (server.address() as AddressInfo).port
}
