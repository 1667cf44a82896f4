import { messageOf, ToolError } from '../core/call/result.ts'
import { hostOfUrl } from '../core/network/web-host.ts'
import { checkHeaders, readWebUrl } from '../core/network/web-url.ts'
import type { HttpRequest, HttpResponse, RefuseHost } from '../core/ports/http.ts'
import type { ConnectOptions } from './connect-checked.ts'
import { type Exchange, exchange } from './exchange.ts'
import { ACCEPTED_CODINGS, readBody } from './read-body.ts'
import { decodeBody, mediaType } from './text-body.ts'

const MAX_REDIRECTS = 10

/** Headers that still go to another origin after a redirect; all others may hold secrets. */
const KEPT_HEADERS = /^(accept|accept-language|user-agent|content-type)$/i

/** What a fetch needs besides its request. */
export interface FetchOptions extends ConnectOptions {
  readonly refuse: RefuseHost
}

/** Makes a request and follows its redirects by hand; every hop is checked like the first. Rejects with ToolError. */
export async function fetchUrl(request: HttpRequest, options: FetchOptions): Promise<HttpResponse> {
  checkHeaders(request.headers ?? {})
  let hop: Exchange = {
    url: readWebUrl(request.url),
    method: request.method ?? 'GET',
    headers: withDefaults(request.headers ?? {}),
    body: request.body,
  }
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const refusal = await options.refuse(hostOfUrl(hop.url))
    if (refusal !== undefined) throw count === 0 ? blocked(refusal, hop.url) : redirectRefused(hop.url, refusal)
    const answer = await runHop(hop, request.limit, options)
    if (!('location' in answer)) return answer
    hop = nextHop(hop, answer)
  }
  throw new ToolError('EXECUTION_ERROR', `${request.url} was redirected more than ${MAX_REDIRECTS} times.`)
}

function withDefaults(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  return {
    ...(names.has('accept') ? {} : { accept: 'text/html, application/json, text/*;q=0.9, */*;q=0.8' }),
    ...(names.has('user-agent') ? {} : { 'user-agent': 'haft' }),
    ...headers,
    'accept-encoding': ACCEPTED_CODINGS,
  }
}

interface Redirect {
  readonly status: number
  readonly location: string
}

async function runHop(hop: Exchange, limit: number, options: FetchOptions): Promise<HttpResponse | Redirect> {
  try {
    return await exchange(hop, options, async ({ statusCode: status, headers: given, body }) => {
      const headers = joinHeaders(given)
      const { location, 'content-type': type = '', 'content-encoding': coding = '' } = headers
      if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
        body.on('error', () => undefined).destroy()
        return { status, location }
      }
      const { bytes, isCut } = await readBody(body, coding, limit)
      const text = decodeBody(bytes, type)
      return { url: hop.url.href, status, headers, type: mediaType(type), bytes, text, isCut }
    })
  } catch (thrown) {
    throw explain(thrown, hop.url, options.signal)
  }
}

function joinHeaders(given: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

/** Returns the request that a redirect asks for. Headers that may hold secrets stay with their origin. */
function nextHop({ url, method, headers, body }: Exchange, { status, location }: Redirect): Exchange {
  const next = readLocation(location, url)
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw redirectRefused(next, 'it leads from an encrypted connection to one that is not')
  const becomesGet = status === 303 || ((status === 301 || status === 302) && method === 'POST')
  const kept = Object.entries(headers).filter(
    ([name]) => (next.origin === url.origin || KEPT_HEADERS.test(name)) && !(becomesGet && /^content-/i.test(name)),
  )
  return {
    url: next,
    method: becomesGet ? 'GET' : method,
    headers: { ...Object.fromEntries(kept), 'accept-encoding': ACCEPTED_CODINGS },
    body: becomesGet ? undefined : body,
  }
}

function readLocation(location: string, base: URL): URL {
  // Servers send UTF-8 here, which headers are not read as.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  const next = URL.parse(text.includes('\uFFFD') ? location : text, base.href)
  if (next === null) throw redirectRefused(location, 'that is not a valid URL')
  try {
    return readWebUrl(next.href)
  } catch (thrown) {
    throw redirectRefused(next.href, messageOf(thrown))
  }
}

function blocked(refusal: string, url: URL): ToolError {
  return new ToolError('BLOCKED', `${refusal} Nothing was sent.`, { details: { url: url.href } })
}

function redirectRefused(to: URL | string, why: string): ToolError {
  const shown = String(to).slice(0, 2_000)
  const text = `The server redirects to ${shown}, which was not followed: ${why.replace(/\.? ?$/, '')}. To go there, fetch that URL itself.`
  return new ToolError('BLOCKED', text, { details: { location: shown } })
}

/** The messages of undici, in plain words. */
const REASONS: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'it sent no response in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped sending in the middle of its response',
  UND_ERR_SOCKET: 'it closed the connection before its response was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its response is not as long as its Content-Length says',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are larger than 64 KB',
  UND_ERR_ABORTED: 'the connection was closed',
}

function explain(thrown: unknown, url: URL, signal: AbortSignal): unknown {
  if (thrown instanceof ToolError || signal.aborted) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const why = code.startsWith('HPE_')
    ? `its response is not valid HTTP (${messageOf(thrown)})`
    : (REASONS[code] ?? explainOther(code, thrown))
  return new ToolError('EXECUTION_ERROR', `${hostOfUrl(url)} could not be read: ${why}.`, {
    details: { url: url.href },
    retryable: true,
  })
}

function explainOther(code: string, thrown: unknown): string {
  if (
    code.startsWith('Z_') ||
    code.startsWith('ERR__ERROR_FORMAT') ||
    code.startsWith('ZSTD_') ||
    code.includes('BROTLI')
  )
    return `its response cannot be decompressed (${messageOf(thrown)})`
  if (code.startsWith('ERR_SSL_'))
    return `no encrypted connection could be made (${code.slice(8).toLowerCase().replaceAll('_', ' ')}); if it speaks plain http, use an http:// address`
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code)) return `its certificate was not accepted (${messageOf(thrown)})`
  return messageOf(thrown)
}
