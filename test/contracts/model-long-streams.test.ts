import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Answer, startModelServer } from '../support/model-server/model-server.ts'

const reader = join(import.meta.dirname, '../support/model-server/read-long-stream.ts')
const SIZE = 50_000_000

/** Sends a piece again and again, as fast as it is read, until 50 MB are sent, and then the end. */
function floods(piece: string, end: string): Answer {
  const block = piece.repeat(Math.ceil(65_536 / piece.length))
  const pieces = function* () {
    for (let sent = 0; sent < SIZE; sent += block.length) yield block
    yield end
  }
  // A client that gives up closes the connection: that is one of the things under test.
  return (response) => pipeline(Readable.from(pieces()), response.writeHead(200)).catch(() => undefined)
}

async function read(wire: string, answer: Answer): Promise<{ peak: number; length?: number; error?: string }> {
  const server = await startModelServer({ chats: [answer] })
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', reader, wire, server.url])
  return JSON.parse(stdout)
}

const padding = 'x'.repeat(400)
const chunk = `data: {"id":"${padding}","choices":[{"index":0,"delta":{"content":"ab"}}]}\n\n`
const line = `{"model":"${padding}","message":{"content":"ab"},"done":false}\n`
const DONE = 'data: [DONE]\n\n'

test.each([
  ['openai', 'events', floods(chunk, DONE), 200_000],
  ['openai', 'comments', floods(`: ${padding}\n\n`, DONE), 0],
  ['ollama', 'lines', floods(line, '{"done":true}\n'), 200_000],
] as const)('%s: a stream of 50 MB of %s is read in bounded memory', async (wire, _, answer, atLeast) => {
  const { peak, length } = await read(wire, answer)
  expect(length).toBeGreaterThanOrEqual(atLeast)
  expect(peak).toBeLessThan(15_000_000)
})

const delta = (content: object) => `data: ${JSON.stringify({ choices: [{ delta: content }] })}\n\n`

test.each([
  ['text', delta({ content: padding }), 'longer than 16000000 characters'],
  ['opaque data', delta({ reasoning_details: [{ data: padding }] }), 'longer than 16000000 characters'],
  ['calls', delta({ tool_calls: [{ function: { name: padding } }] }), 'more than 1000 calls'],
] as const)('openai: a reply of 50 MB of %s is given up, in bounded memory', async (_, piece, expected) => {
  const { peak, error } = await read('openai', floods(piece, DONE))
  expect(error).toContain(expected)
  expect(peak).toBeLessThan(60_000_000)
})
