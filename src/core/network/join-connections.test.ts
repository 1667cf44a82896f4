import { once } from 'node:events'
import { Duplex, duplexPair } from 'node:stream'
import { expect, test } from 'vitest'
import { joinConnections } from './join-connections.ts'

/** Two connections that are joined, and the far end of each. */
function joined(): { readonly near: readonly [Duplex, Duplex]; readonly far: readonly [Duplex, Duplex] } {
  const [[one, farOne], [other, farOther]] = [duplexPair(), duplexPair()]
  joinConnections(one, other)
  return { near: [one, other], far: [farOne, farOther] }
}

async function readAll(stream: Duplex): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

test('bytes go both ways, and after the end of one way the other still answers', async () => {
  const { far } = joined()
  far[0].end('asked')
  expect(await readAll(far[1])).toBe('asked')
  far[1].end('answered')
  expect(await readAll(far[0])).toBe('answered')
})

test('what was sent before the end is still written where the other connection is slower than the close', async () => {
  const [one, far] = duplexPair()
  const written = Promise.withResolvers<() => void>()
  const slow = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => written.resolve(() => done()) })
  joinConnections(one, slow)
  slow.push(null)
  far.resume().end('sent')
  const [finishWriting] = await Promise.all([written.promise, once(one, 'close')])
  expect(slow.destroyed).toBe(false)
  finishWriting()
  await once(slow, 'finish')
})

test('a connection that closes before its end closes the other', async () => {
  const { near } = joined()
  near[0].destroy()
  await once(near[1], 'close')
  expect(near[1].destroyed).toBe(true)
})

test('a connection that fails after its end, so that nobody takes what the other sends, closes the other', async () => {
  const { near, far } = joined()
  far[0].end()
  near[0].resume()
  await once(near[0], 'end')
  near[0].destroy(new Error('nobody reads any more'))
  await once(near[1], 'close')
  expect(near[1].destroyed).toBe(true)
})
