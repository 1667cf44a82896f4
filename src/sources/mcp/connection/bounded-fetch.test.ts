import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { boundedFetch } from './bounded-fetch.ts'

const PIECE = Buffer.alloc(1_000_000, 'x')

/** Serves pieces, each in its turn, as content of a type. */
async function serve(type: string, pieces: readonly Buffer[]): Promise<string> {
  const server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': type })
    for (const piece of pieces) if (!response.write(piece)) await once(response, 'drain').catch(() => undefined)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const repeat = (piece: Buffer, times: number) => Array.from({ length: times }, () => piece)
const LINE = Buffer.concat([PIECE, Buffer.from('\n')])

test.each([
  ['application/json', repeat(PIECE, 11)],
  ['text/event-stream', repeat(PIECE, 11)],
  ['text/event-stream', [LINE, ...repeat(PIECE, 11)]],
])('a message of more than 10 MB of %s ends the response', async (type, pieces) => {
  const response = await boundedFetch(await serve(type, pieces))
  await expect(response.text()).rejects.toThrow('it sent a message of more than 10 MB')
})

test('a stream of events may be as long as it likes', async () => {
  const url = await serve('text/event-stream', repeat(LINE, 15))
  const response = await boundedFetch(url)
  expect(response).toMatchObject({ url, status: 200 })
  expect((await response.text()).length).toBe(15 * LINE.length)
})
