import type { IncomingMessage } from 'node:http'
import { HttpError } from './http-error.ts'

/** The names that this server answers to. */
export interface OwnHosts {
  /** `127.0.0.1:4242`, in lower case, for every name. */
  readonly hosts: ReadonlySet<string>
  /** The origin of the reverse proxy. */
  readonly publicUrl: string | undefined
}

/** Headers of which a request may have one at most: of two, another program might read the other. */
const SINGLE = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'content-encoding',
  'sec-fetch-site',
  'transfer-encoding',
])

/** Refuses what no client of ours sends: another host, another origin, a page of another site, an unusual path. Looks at nothing but the head of the request. */
export function checkRequest(incoming: IncomingMessage, own: OwnHosts): HttpError | undefined {
  return (
    checkHead(incoming) ??
    checkHost(incoming, own) ??
    checkOrigin(incoming, own) ??
    checkSite(incoming) ??
    checkPath(incoming.url ?? '')
  )
}

function checkHead({ rawHeaders, headers, httpVersion }: IncomingMessage): HttpError | undefined {
  if (httpVersion !== '1.1') return new HttpError('INVALID_ARGUMENTS', 'Only HTTP/1.1 is understood.')
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    return new HttpError('INVALID_ARGUMENTS', 'The only Transfer-Encoding that is understood is chunked.')
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) return new HttpError('INVALID_ARGUMENTS', `The header ${name} is given twice.`)
    seen.add(name)
  }
  return undefined
}

/** A page on a name that an attacker points to this machine (DNS rebinding) sends that name as Host. */
function checkHost({ headers }: IncomingMessage, { hosts }: OwnHosts): HttpError | undefined {
  if (headers.host !== undefined && hosts.has(headers.host.toLowerCase())) return undefined
  return new HttpError('PERMISSION_DENIED', 'The Host header does not name this server.', { status: 421 })
}

/** A browser names the page that sends a request; only our own page may. Behind a reverse proxy that is the page of its address, whichever Host the proxy sends. */
function checkOrigin({ headers }: IncomingMessage, { publicUrl }: OwnHosts): HttpError | undefined {
  const { origin, host = '' } = headers
  if (origin === undefined || origin === publicUrl) return undefined
  const isPublic = publicUrl !== undefined && new URL(publicUrl).host === host.toLowerCase().replace(/:443$/, '')
  if (!isPublic && origin.toLowerCase() === `http://${host.toLowerCase()}`) return undefined
  return new HttpError('PERMISSION_DENIED', 'Requests from other pages are refused.')
}

/** A browser says whether a request comes from a page of the same origin. A link on another page may open ours, and nothing more. */
function checkSite({ headers, method, url = '' }: IncomingMessage): HttpError | undefined {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (isOpened && method === 'GET' && !isApi(url)) return undefined
  return new HttpError('PERMISSION_DENIED', 'Requests from other sites are refused.')
}

/** True for a request to the interface, false for one to a page. */
export function isApi(url: string): boolean {
  return url === '/api' || url.startsWith('/api/') || url.startsWith('/api?')
}

/** Characters that a path may have as they are. */
const PLAIN = /^\/[\w.~!$&'()*+,;=:@%/-]*$/
/** Slash, backslash, dot, percent sign and control characters, encoded: what changes the meaning of a path when it is decoded. */
const HIDDEN = /%(?:2f|5c|2e|25|[01][0-9a-f]|7f)/i
/** Two slashes in a row, and parts that mean this folder or the one above. */
const UNSETTLED = /\/\/|\/\.{1,2}(?:\/|$)/

function checkPath(url: string): HttpError | undefined {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (PLAIN.test(path) && !UNSETTLED.test(path) && (!path.includes('%') || isDecodable(path))) return undefined
  return new HttpError('INVALID_ARGUMENTS', 'The path of the request is not in its plain form.')
}

function isDecodable(path: string): boolean {
  if (HIDDEN.test(path)) return false
  try {
    // Control and format characters have no place in a path, whatever they are encoded as.
    return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
