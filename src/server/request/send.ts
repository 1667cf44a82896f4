import type { ServerResponse } from 'node:http'
import type { HttpError } from './http-error.ts'

/** Headers of every answer. */
const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const

/** What is sent. */
export interface Sent {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: string | Uint8Array
}

/** Sends a full answer, unless one was begun or the reader has gone. */
export function send(outgoing: ServerResponse, { status, headers, body = '' }: Sent): void {
  if (outgoing.headersSent || outgoing.destroyed) return
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const isBare = status === 304
  outgoing.writeHead(status, { ...ALWAYS, ...(!isBare && { 'Content-Length': length }), ...headers })
  outgoing.end(outgoing.req.method === 'HEAD' || isBare ? undefined : body)
}

const JSON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** Sends a value as JSON. */
export function sendJson(
  outgoing: ServerResponse,
  { status, value, headers }: { readonly status: number; readonly value: unknown; readonly headers?: Sent['headers'] },
): void {
  send(outgoing, { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) })
}

/** Sends a refusal. A request whose body was not read loses its connection, so that nothing of it is taken for the next request. */
export function sendRefusal(outgoing: ServerResponse, refusal: HttpError): void {
  const close = outgoing.req.complete ? {} : { Connection: 'close' }
  sendJson(outgoing, { status: refusal.status, value: refusal.body, headers: { ...refusal.headers, ...close } })
}

/** Begins an answer that goes on. */
export function beginStream(outgoing: ServerResponse): void {
  outgoing.writeHead(200, {
    ...ALWAYS,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}
