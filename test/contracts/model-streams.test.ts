import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOllamaReply } from '../../src/models/ollama/read-reply.ts'
import { readOpenAiReply } from '../../src/models/openai/read-reply.ts'
import { createReplyCollector } from '../../src/models/reply/collect-reply.ts'
import { IRREGULAR_STREAMS, type IrregularStream } from '../support/model-server/irregular-streams.ts'
import { sends, startModelServer } from '../support/model-server/model-server.ts'
import { askModel, openTestModel } from '../support/model-server/open-test-model.ts'

/** What is read from a stream whose bytes arrive in these pieces: the reply and everything that was streamed, or the error. */
async function readPieces({ wire }: IrregularStream, pieces: readonly Uint8Array[]): Promise<object> {
  const collector = createReplyCollector()
  const answer = {
    body: (async function* () {
      yield* pieces
    })(),
    expectEnd: () => undefined,
  }
  const streamed = { text: '', reasoning: '' }
  try {
    for await (const part of (wire === 'ollama' ? readOllamaReply : readOpenAiReply)(answer, collector))
      if (part.type === 'text' || part.type === 'reasoning') streamed[part.type] += part.text
    return { streamed, ...collector.read() }
  } catch (thrown) {
    return { streamed, error: String(thrown) }
  }
}

function splitAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [0, ...places.toSorted((a, b) => a - b), bytes.length]
  return ends.slice(1).map((end, at) => bytes.subarray(ends[at], end))
}

describe.each(IRREGULAR_STREAMS)('$wire: $name', (stream) => {
  const bytes = Buffer.from(stream.bytes)

  test('is read as it must be, over HTTP', async () => {
    const server = await startModelServer({ chats: [sends(stream.bytes)] })
    const asked = askModel(openTestModel(stream.wire, server.url))
    if (stream.error) return void (await expect(asked).rejects.toThrow(stream.error))
    const { wire, ...expected } = stream.reply ?? {}
    const { reply } = await asked
    expect(reply).toMatchObject(expected)
    if (wire) expect(reply.wire).toEqual({ model: 'test', ...wire })
  })

  test('gives the same result split at every boundary', async () => {
    const expected = await readPieces(stream, [bytes])
    for (let place = 0; place <= bytes.length; place++)
      expect(await readPieces(stream, splitAt(bytes, [place])), `split at ${place}`).toEqual(expected)
  })

  test('gives the same result in any pieces', async () => {
    const expected = await readPieces(stream, [bytes])
    const places = fc.array(fc.nat(bytes.length), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        expect(await readPieces(stream, splitAt(bytes, at))).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })
})
