import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that the server got. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Parsed where it is JSON. */
  readonly body: unknown
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

/** A server of models on 127.0.0.1 whose answers are written in a test. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly port: number
  /** Every request so far, in order. */
  readonly requests: readonly SeenRequest[]
  /** The requests of chats alone. */
  chats(): readonly SeenRequest[]
  /** Resolves when a connection was closed by the client while it was being answered. */
  readonly clientLeft: Promise<void>
}

/** What the server answers: metadata by path, chats in order; the last answer repeats. */
export interface Script {
  readonly chats?: readonly Answer[]
  /** JSON by path, such as `/api/show`; anything else is 404. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Any free one when left out. */
  readonly port?: number
}

const CHAT_PATHS: ReadonlySet<string> = new Set(['/api/chat', '/v1/chat/completions', '/v1/messages'])

/** Starts a scripted server; it is gone when the test ends. */
export async function startModelServer({
  chats = [],
  metadata = {},
  port: wanted = 0,
}: Script = {}): Promise<ModelServer> {
  const requests: SeenRequest[] = []
  let answered = 0
  const left = Promise.withResolvers<void>()
  const server = createServer(async (incoming, response) => {
    response.on('close', () => {
      if (!response.writableFinished) left.resolve()
    })
    const seen = await readRequest(incoming)
    requests.push(seen)
    if (Object.hasOwn(metadata, seen.path)) return answerJson(response, metadata[seen.path])
    const isChat = CHAT_PATHS.has(seen.path) || seen.path.includes(':streamGenerateContent')
    const answer = isChat ? chats[Math.min(answered++, chats.length - 1)] : undefined
    if (answer === undefined) return void response.writeHead(404).end('{"error":{"message":"not found"}}')
    await answer(response, seen)
  })
  server.listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const isChat = ({ path }: SeenRequest) => CHAT_PATHS.has(path) || path.includes(':streamGenerateContent')
  const url = `http://127.0.0.1:${port}`
  return { url, port, requests, chats: () => requests.filter(isChat), clientLeft: left.promise }
}

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  const path = (incoming.url ?? '').replace(/\?.*$/, '')
  return { method: incoming.method ?? '', path, headers: incoming.headers, body: text === '' ? '' : JSON.parse(text) }
}

function answerJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Answers with these bytes and closes properly. */
export function sends(text: string, head: Readonly<Record<string, string>> = {}): Answer {
  return (response) => void response.writeHead(200, { 'content-type': 'text/event-stream', ...head }).end(text)
}

/** Answers with a status, a text and headers. */
export function fails(status: number, text = '', head: Readonly<Record<string, string>> = {}): Answer {
  return (response) => void response.writeHead(status, head).end(text)
}

/** Sends this and then resets the connection. */
export function dies(text: string): Answer {
  return (response) => {
    response.writeHead(200)
    response.write(text, () => response.socket?.resetAndDestroy())
  }
}

/** Sends this and then nothing, without closing. */
export function stalls(text: string): Answer {
  return (response) => {
    response.writeHead(200)
    response.write(text === '' ? '\n' : text)
  }
}

/** Takes the request and never answers. */
export const neverAnswers: Answer = () => undefined
