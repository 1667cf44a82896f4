import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ModelError } from '../../src/core/ports/model.ts'
import { type TextReader, withTextCalls } from '../../src/models/with-text-calls.ts'
import { freePort } from '../support/model-server/free-port.ts'
import { dies, fails, neverAnswers, sends, stalls, startModelServer } from '../support/model-server/model-server.ts'
import { askModel, openTestModel } from '../support/model-server/open-test-model.ts'
import { ollamaReply, openAiReply } from '../support/model-server/scripted-reply.ts'

const REPLY = { text: 'All is well.', usage: { input: 3, output: 4 } }
const wires = [
  { wire: 'openai', good: openAiReply(REPLY), start: 'data: {"choices":[{"delta":{"content":"Let"}}]}\n\n' },
  { wire: 'ollama', good: ollamaReply(REPLY), start: '{"message":{"content":"Let"},"done":false}\n' },
] as const

const readNothing: TextReader = (text) => ({ calls: [], text, isIncomplete: false, repairs: [] })
const QUICK = { connectSeconds: 5, firstByteSeconds: 0.05, idleSeconds: 0.05 }

describe.each(wires)('$wire', ({ wire, good, start }) => {
  test('a server that never answers is given up after the limit, and not asked again', async () => {
    const server = await startModelServer({ chats: [neverAnswers] })
    const asked = askModel(openTestModel(wire, server.url, { limits: QUICK }))
    await expect(asked).rejects.toThrow(/did not answer within 0.05 seconds/)
    expect(server.chats()).toHaveLength(1)
  })

  test('a server that falls silent in the middle is given up after the limit, and not asked again', async () => {
    const server = await startModelServer({ chats: [stalls(start)] })
    const limits = { ...QUICK, firstByteSeconds: 5 }
    await expect(askModel(openTestModel(wire, server.url, { limits }))).rejects.toThrow(/sent nothing for 0.05 seconds/)
    await server.clientLeft
    expect(server.chats()).toHaveLength(1)
  })

  test('a server that dies in the middle is an error that may pass, and not asked again', async () => {
    const server = await startModelServer({ chats: [dies(start)] })
    const asked = askModel(openTestModel(wire, server.url))
    await expect(asked).rejects.toThrow(/closed the connection before its reply was complete/)
    await expect(asked).rejects.toMatchObject({ retryable: true })
    expect(server.chats()).toHaveLength(1)
  })

  test('a server that keeps the connection open after a complete reply holds nobody up', async () => {
    const end = wire === 'openai' ? 'data: [DONE]\n\n' : '{"message":{"content":""},"done":true,"done_reason":"stop"}\n'
    const server = await startModelServer({ chats: [stalls(start + end)] })
    const { reply } = await askModel(openTestModel(wire, server.url))
    expect(reply.text).toBe('Let')
  })

  test('HTTP 500 as plain text before the first byte is tried again, and says so', async () => {
    const server = await startModelServer({ chats: [fails(500, 'Internal Server Error'), good] })
    const { parts, reply } = await askModel(openTestModel(wire, server.url))
    expect(parts[0]).toMatchObject({ type: 'retry', reason: expect.stringContaining('500: Internal Server Error') })
    expect(reply).toMatchObject({ text: 'All is well.', usage: { input: 3, output: 4 } })
    expect(reply.usage.estimated).toBeUndefined()
  })

  test('429 is tried again after the time the server names', async () => {
    const server = await startModelServer({
      chats: [fails(429, '{"error":"slow down"}', { 'retry-after': '0' }), good],
    })
    const { parts } = await askModel(openTestModel(wire, server.url))
    expect(parts[0]).toMatchObject({ type: 'retry', seconds: 0, reason: expect.stringContaining('slow down') })
  })

  test('429 that asks for a longer wait than is bearable is an error that names it', async () => {
    const server = await startModelServer({ chats: [fails(429, 'quota', { 'retry-after': '3600' })] })
    await expect(askModel(openTestModel(wire, server.url))).rejects.toThrow(/wait 3600 seconds.*quota/)
    expect(server.chats()).toHaveLength(1)
  })

  test('the time may also be named as a date', async () => {
    const until = (date: number) => fails(429, 'slow down', { 'retry-after': new Date(date).toUTCString() })
    const server = await startModelServer({ chats: [until(Date.now() - 60_000), good, until(Date.now() + 3_600_000)] })
    const { parts } = await askModel(openTestModel(wire, server.url))
    expect(parts[0]).toMatchObject({ type: 'retry', seconds: 0 })
    await expect(askModel(openTestModel(wire, server.url))).rejects.toThrow(/wait 3[56]\d\d seconds/)
  })

  test('attempts are bounded', async () => {
    const server = await startModelServer({ chats: [fails(503, 'busy')] })
    await expect(askModel(openTestModel(wire, server.url))).rejects.toThrow(/503: busy/)
    expect(server.chats()).toHaveLength(3)
  })

  test('a refusal is not tried again', async () => {
    const server = await startModelServer({ chats: [fails(400, '{"error":{"message":"no such parameter"}}')] })
    await expect(askModel(openTestModel(wire, server.url))).rejects.toThrow(/400: no such parameter/)
    expect(server.chats()).toHaveLength(1)
  })

  test('a refused key, a redirect and a web page each say what to do', async () => {
    const page = '<!doctype html><title>404</title>'
    const chats = [
      fails(401, '{"error":"bad key"}'),
      fails(308, '', { location: 'https://example.test/v1' }),
      fails(404, page),
    ]
    const server = await startModelServer({ chats })
    const model = openTestModel(wire, server.url)
    await expect(askModel(model)).rejects.toThrow(/the key was refused. bad key/)
    await expect(askModel(model)).rejects.toThrow(/redirects to https:\/\/example.test\/v1. Set base_url/)
    await expect(askModel(model)).rejects.toThrow(/web page.*Check base_url/)
  })

  test('a server that is only starting is tried again until it listens', async () => {
    const port = await freePort()
    const asked = openTestModel(wire, `http://127.0.0.1:${port}`, {
      retries: { attempts: 3, firstSeconds: 0.001, maxSeconds: 1 },
    }).stream({ messages: [], tools: [], signal: new AbortController().signal })
    const parts = asked[Symbol.asyncIterator]()
    expect((await parts.next()).value).toMatchObject({ type: 'retry', reason: expect.stringContaining('refused') })
    const server = await startModelServer({ chats: [good], port })
    expect((await parts.next()).value).toMatchObject({ type: 'text', text: 'All ' })
    await parts.return?.()
    expect(server.chats()).toHaveLength(1)
  })

  test('where nothing listens the error says what to do', async () => {
    const model = openTestModel(wire, `http://127.0.0.1:${await freePort()}`)
    const hint = wire === 'ollama' ? /ollama serve/ : /Start the server/
    await expect(askModel(model)).rejects.toThrow(hint)
    await expect(askModel(model)).rejects.toThrow(ModelError)
    expect(await model.abilities()).toEqual({})
  })

  test('cancelling closes the connection, before the answer and within it', async () => {
    for (const chat of [neverAnswers, stalls(start)]) {
      const arrived = Promise.withResolvers<void>()
      const server = await startModelServer({
        chats: [
          (response, request) => {
            arrived.resolve()
            return chat(response, request)
          },
        ],
      })
      const { signal, abort } = cancel()
      const asked = askModel(openTestModel(wire, server.url), { signal })
      asked.catch(() => undefined)
      await arrived.promise
      abort()
      await expect(asked).rejects.toThrow('The request was cancelled.')
      await server.clientLeft
    }
  })

  test('cancelling does not wait for what the server is asked about the model', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const { signal, abort } = cancel()
    const tools = [{ name: 'x', description: '', parameters: {} }]
    const model = withTextCalls(openTestModel(wire, `http://127.0.0.1:${port}`), readNothing)
    const asked = askModel(model, { signal, tools })
    asked.catch(() => undefined)
    const [socket]: Socket[] = await once(silent, 'connection')
    abort()
    await expect(asked).rejects.toThrow('The request was cancelled.')
    expect(socket?.destroyed).toBe(false)
    socket?.destroy()
  })

  test('a reader that leaves early closes the connection', async () => {
    const server = await startModelServer({ chats: [stalls(start)] })
    const stream = openTestModel(wire, server.url).stream({
      messages: [],
      tools: [],
      signal: new AbortController().signal,
    })
    for await (const part of stream) if (part.type === 'text') break
    await server.clientLeft
  })

  test('cancelling ends the wait before a further attempt', async () => {
    const server = await startModelServer({ chats: [fails(503, 'busy')] })
    const { signal, abort } = cancel()
    const retries = { attempts: 3, firstSeconds: 600, maxSeconds: 600 }
    const parts = openTestModel(wire, server.url, { retries }).stream({ messages: [], tools: [], signal })
    const iterator = parts[Symbol.asyncIterator]()
    expect((await iterator.next()).value).toMatchObject({ type: 'retry', seconds: 600 })
    const next = iterator.next()
    abort()
    await expect(next).rejects.toThrow('The request was cancelled.')
  })

  test('a line without end is refused', async () => {
    const server = await startModelServer({ chats: [sends(`data: ${'x'.repeat(17_000_000)}`)] })
    await expect(askModel(openTestModel(wire, server.url))).rejects.toThrow(/a line of more than 16000000 characters/)
  })

  test('tokens are estimated where the server counts none, and cost follows the price', async () => {
    const quiet = wire === 'openai' ? openAiReply({ text: 'ok' }) : ollamaReply({ text: 'ok' })
    const server = await startModelServer({ chats: [quiet, good] })
    const model = openTestModel(wire, server.url, { price: { input: 2, output: 10 } })
    expect((await askModel(model)).reply.usage).toEqual({ input: 1, output: 1, estimated: true, cost: 0.000_012 })
    expect((await askModel(model)).reply.usage).toEqual({ input: 3, output: 4, cost: 0.000_046 })
  })
})

function cancel(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
