import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openHome } from '../../../src/index.ts'
import { LIMITS, listen } from '../../../src/server/start-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A server whose connections have little time. */
async function startImpatientServer(limits: Partial<typeof LIMITS>) {
  const [folder, workspace] = [temporaryFolder(), temporaryFolder()]
  const listening = await listen({ port: 0 }, { ...LIMITS, connectionsCheckingInterval: 20, ...limits })
  const home = await openHome({ home: folder })
  const running = listening.serve(home, { folder, workspace, version: 'test', page: folder, onFault: () => undefined })
  onTestFinished(async () => {
    await running.close()
    await home.close()
  })
  return { port: listening.port, token: running.token }
}

/** Sends pieces again and again until the server closes the connection; resolves to what came back. */
function trickle(port: number, start: string, piece: string): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1' })
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
    })
    socket.on('error', () => undefined)
    socket.write(start)
    const timer = setInterval(() => socket.write(piece), 5)
    onTestFinished(() => void socket.destroy())
    socket.on('close', () => {
      clearInterval(timer)
      resolve(received)
    })
  })
}

test('a head that comes slowly ends its connection, however it goes on', async () => {
  const { port } = await startImpatientServer({ headersTimeout: 200, requestTimeout: 60_000 })
  const received = await trickle(port, `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`, 'X-A: b\r\n')
  expect(received).toMatch(/^HTTP\/1.1 408 /)
})

test('a head that never ends is cut off by its size', async () => {
  const { port } = await startImpatientServer({})
  const received = await trickle(
    port,
    `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`,
    `X-A: ${'b'.repeat(1_000)}\r\n`,
  )
  expect(received).toMatch(/^HTTP\/1.1 431 /)
})

test('a connection that sends nothing is closed', async () => {
  const { port } = await startImpatientServer({ headersTimeout: 200, requestTimeout: 60_000 })
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined).resume()
  await new Promise((resolve) => socket.on('close', resolve))
})

test.for([
  ['with a length', 'Content-Length: 100000', ' '],
  ['in chunks', 'Transfer-Encoding: chunked', '1\r\n \r\n'],
] as const)('a body that comes slowly %s ends its connection', async ([, framing, piece]) => {
  const { port, token } = await startImpatientServer({ headersTimeout: 200, requestTimeout: 400 })
  const head = `POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
  const received = await trickle(port, head, piece)
  expect(received).toMatch(/^HTTP\/1.1 40[08] /)
})

test('the limits that are shipped: a head has 10 seconds and 16 KB, a request one minute', () => {
  expect(LIMITS).toMatchObject({ headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16_384 })
})
