import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkRequest, isApi, type OwnHosts } from './request/check-request.ts'
import { HttpError } from './request/http-error.ts'
import { sendRefusal } from './request/send.ts'
import { bearerOf } from './security/token.ts'

/** Answers requests. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** What the gate leads to. */
export interface GateParts {
  readonly own: OwnHosts
  isToken(sent: string): boolean
  refuseToken(outgoing: ServerResponse): Promise<void>
  readonly app: Listener
  readonly serveFile: Listener
}

/** The one way in. Every request is checked here before anything reads it: host, origin, path, then the token. */
export function createGate({ own, isToken, refuseToken, app, serveFile }: GateParts): Listener {
  return (incoming, outgoing) => {
    const refusal = checkRequest(incoming, own)
    if (refusal) return sendRefusal(outgoing, refusal)
    const { url = '', method, headers } = incoming
    if (!isApi(url)) return serveFile(incoming, outgoing)
    if (/^[^?]*\?(?:.*&)?(?:access_)?token=/i.test(url))
      return sendRefusal(
        outgoing,
        new HttpError('PERMISSION_DENIED', 'Send the token in the Authorization header, never in the address.', {
          status: 401,
        }),
      )
    if (url === '/api/sign-in' && method === 'POST') return app(incoming, outgoing)
    const sent = bearerOf(headers.authorization)
    if (sent === undefined) return sendRefusal(outgoing, wrongToken())
    if (!isToken(sent)) return void refuseToken(outgoing)
    app(incoming, outgoing)
  }
}

/** The refusal of a request without the right token. */
export function wrongToken(): HttpError {
  return new HttpError(
    'PERMISSION_DENIED',
    'The token is missing or wrong. Send Authorization: Bearer TOKEN, or open the link that haft serve prints.',
    {
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
    },
  )
}

/** The refusal where too many wrong guesses wait already. */
export function tooMany(): HttpError {
  return new HttpError('UNAVAILABLE', 'Too many wrong tokens or codes. Try again in a few seconds.', {
    status: 429,
    headers: { 'Retry-After': '5' },
  })
}
