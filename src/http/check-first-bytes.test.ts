import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { checkFirstBytes } from './check-first-bytes.ts'

interface Opened {
  readonly connection: Duplex
  /** What reached the server so far. */
  received(): string
  readonly refused: string[]
}

/** A checked connection to a server that answers every piece with `ok`. */
async function open(): Promise<Opened> {
  const chunks: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        chunks.push(chunk)
        socket.write('ok')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // A server on a port has an address with a port.
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const refused: string[] = []
  const connection = checkFirstBytes(socket, 'example.com', (reason) => refused.push(reason))
  connection.on('error', () => undefined)
  return { connection, refused, received: () => Buffer.concat(chunks).toString('latin1') }
}

test.for([
  'GET / HTTP/1.1\r\nHost: example.com\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: EXAMPLE.com.:80\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n',
  'EHLO client.test\r\n',
  'SSH-2.0-x\r\n',
  '\x00\x01\x02',
])('%j passes, also byte by byte', async (text) => {
  for (const pieces of [[text], [...text]]) {
    const { connection, received, refused } = await open()
    for (const piece of pieces) connection.write(Buffer.from(piece, 'latin1'))
    await expect.poll(received).toBe(text)
    expect(refused).toEqual([])
    connection.destroy()
  }
})

test.for([
  'GET / HTTP/1.1\r\nHost: other.test\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: example.com\r\nHost: other.test\r\n\r\n',
  'GET http://other.test/ HTTP/1.1\r\nHost: example.com\r\n\r\n',
  'POST / HTTP/1.1\nHost:other.test\n\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
])('%j is refused, and nothing of it reaches the server', async (text) => {
  for (const pieces of [[text], [...text]]) {
    const { connection, received, refused } = await open()
    const closed = new Promise((resolve) => connection.on('close', resolve))
    for (const piece of pieces) connection.write(Buffer.from(piece, 'latin1'))
    await closed
    expect(refused).toHaveLength(1)
    expect(received()).toBe('')
  }
})

test.for([
  ['example.com', 0],
  ['other.test', 1],
] as const)('the server name of TLS, %s, is compared', async ([servername, refusals]) => {
  const { connection, received, refused } = await open()
  const secure = connectTls({ socket: connection as never, servername })
  secure.on('error', () => undefined)
  await expect.poll(() => refused.length > 0 || received().length > 0).toBe(true)
  expect(refused).toHaveLength(refusals)
  if (refusals > 0) expect(received()).toBe('')
  secure.destroy()
})
