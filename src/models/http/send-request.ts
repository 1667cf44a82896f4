import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ModelError } from '../../core/ports/model.ts'
import { UnansweredError } from './http-errors.ts'
import type { Limits } from './limits.ts'

/** One request to a server of models. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  readonly limits: Limits
}

/** The head of an answer; its body arrives as it is read. Leaving the body early closes the connection. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Uint8Array>
  /** The reply is complete: the body may go on for so many seconds, and however it ends then is no failure. Servers forget to close, or reset the connection. */
  expectEnd(seconds: number): void
}

/**
 * Sends a request and resolves with the head of the answer. Rejects with UnansweredError where nothing arrived, and with ModelError
 * when the signal aborts. Uses Node's own client because `fetch` gives up after 300 seconds without an answer, which a local model may need.
 */
export function sendRequest(order: HttpRequest): Promise<HttpAnswer> {
  return sendOnce(order, false)
}

/** Sends a request; once more on a new connection where the server had closed the kept one before the request reached it. */
function sendOnce(order: HttpRequest, isNew: boolean): Promise<HttpAnswer> {
  const { signal, limits, body, url } = order
  if (signal.aborted) return Promise.reject(cancelled(signal))
  return new Promise((resolve, reject) => {
    const sent = openRequest(order, isNew)
    let hasAnswer = false
    const { host } = new URL(url)
    const cancel = () => sent.destroy()
    let timer: NodeJS.Timeout | undefined
    const allow = (seconds: number, message: string) => {
      clearTimeout(timer)
      timer = setTimeout(() => sent.destroy(new UnansweredError(message)), seconds * 1_000)
    }
    signal.addEventListener('abort', cancel, { once: true })
    const release = () => signal.removeEventListener('abort', cancel)
    allow(limits.connectSeconds, `${host} could not be reached within ${limits.connectSeconds} seconds.`)
    onConnect(sent, () =>
      allow(limits.firstByteSeconds, `${host} did not answer within ${limits.firstByteSeconds} seconds.`),
    )
    // A listener stays for good: a request that is destroyed after its answer began fails once more.
    sent.on('error', (thrown) => {
      clearTimeout(timer)
      release()
      const isStale = sent.reusedSocket && !hasAnswer && 'code' in thrown && CLOSED.has(thrown.code)
      if (isStale && !isNew && !signal.aborted) return resolve(sendOnce(order, true))
      reject(signal.aborted ? cancelled(signal) : unanswered(thrown, host))
    })
    sent.once('response', (response) => {
      hasAnswer = true
      clearTimeout(timer)
      const reading: Reading = { release, signal, host, idleSeconds: limits.idleSeconds, isComplete: false }
      const expectEnd = (seconds: number) => void Object.assign(reading, { idleSeconds: seconds, isComplete: true })
      const { statusCode = 0, headers } = response
      resolve({ status: statusCode, headers, body: readBody(response, reading), expectEnd })
    })
    sent.end(body)
  })
}

/** The codes of a connection that was closed at the other end. */
const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE'])

function openRequest({ method, url, headers, body }: HttpRequest, isNew: boolean): ClientRequest {
  const open = new URL(url).protocol === 'https:' ? requestHttps : requestHttp
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const agent = isNew ? { agent: false } : {}
  return open(url, { method, headers: { 'accept-encoding': 'identity', ...headers, ...length }, ...agent })
}

/** Calls back once the connection stands; at once where one is used again. */
function onConnect(sent: ClientRequest, connected: () => void): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return connected()
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected)
  })
}

interface Reading {
  readonly release: () => void
  readonly signal: AbortSignal
  readonly host: string
  idleSeconds: number
  isComplete: boolean
}

/** The pieces of a body. The time limit runs only while a piece is waited for, so a slow reader ends nothing. */
async function* readBody(response: IncomingMessage, reading: Reading): AsyncGenerator<Uint8Array> {
  const { signal, host } = reading
  const pieces: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]()
  let isIdle = false
  const giveUp = () => {
    isIdle = true
    response.destroy()
  }
  try {
    for (;;) {
      const waiting = setTimeout(giveUp, reading.idleSeconds * 1_000)
      const piece = await pieces.next().finally(() => clearTimeout(waiting))
      if (signal.aborted) throw cancelled(signal)
      if (piece.done) return
      yield piece.value
    }
  } catch (thrown) {
    if (signal.aborted) throw cancelled(signal)
    if (reading.isComplete) return
    const why = isIdle ? `sent nothing for ${reading.idleSeconds} seconds` : 'closed the connection'
    throw new ModelError(`${host} ${why} before its reply was complete.`, { retryable: true, cause: thrown })
  } finally {
    reading.release()
    response.destroy()
  }
}

function cancelled(signal: AbortSignal): ModelError {
  return new ModelError('The request was cancelled.', { cause: signal.reason })
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was closed before an answer came',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  HPE_INVALID_CONSTANT: 'what answers there does not speak HTTP',
  EPROTO: 'what answers there does not speak TLS; try http:// in place of https://',
}

function unanswered(thrown: unknown, host: string): UnansweredError {
  if (thrown instanceof UnansweredError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined
  const reason = REASONS[code ?? ''] ?? (thrown instanceof Error ? thrown.message : String(thrown))
  return new UnansweredError(`${host} does not answer: ${reason}.`, { code, cause: thrown })
}
