import type { ErrorBody, Route } from '../core/api/route.ts'
import { isRecord } from '../core/text/json.ts'

/** How a client reaches a server. */
export interface ClientOptions {
  /** `http://127.0.0.1:4242`; in a page of the server, its own origin: `''`. */
  readonly url?: string
  /** The token, or a function that returns the one of now. */
  readonly token?: string | (() => string | undefined)
  /** In place of the global one. */
  readonly fetch?: typeof fetch
}

/** A refusal of the server. */
export class HaftError extends Error {
  override readonly name = 'HaftError'
  readonly status: number
  /** One of the codes in docs/errors.md. */
  readonly code: string
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(status: number, { code, message, details }: ErrorBody['error']) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** The members of a request, by name. */
export type Input = Readonly<Record<string, unknown>>

/** One request as `fetch` takes it, with the token. Rejects with HaftError where the server refuses. */
export type SendRequest = (path: string, init: RequestInit) => Promise<Response>

/** Makes the request of a route and returns its answer. */
export async function callRoute(
  route: Route,
  { input, signal }: { readonly input: Input; readonly signal?: AbortSignal },
  request: SendRequest,
): Promise<unknown> {
  const response = await request(pathOf(route, input), {
    method: route.method,
    ...(signal && { signal }),
    ...(route.body && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(pick(input, route.body)),
    }),
  })
  return response.json()
}

/** The path of a request, with the parameters of path and query in it. */
export function pathOf({ path, query = {} }: Pick<Route, 'path' | 'query'>, input: Input): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const given = Object.entries(pick(input, query)).map(([name, value]): [string, string] => [name, String(value)])
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`
}

function pick(input: Input, shape: Readonly<Record<string, unknown>>): Input {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => Object.hasOwn(shape, name) && value !== undefined),
  )
}

/** Sends a request with the token. Rejects with HaftError where the server refuses. */
export async function sendRequest(
  path: string,
  init: RequestInit,
  { url = '', token, fetch: given }: ClientOptions,
): Promise<Response> {
  const now = typeof token === 'function' ? token() : token
  const headers = { ...init.headers, ...(now !== undefined && { Authorization: `Bearer ${now}` }) }
  const response = await (given ?? fetch)(`${url}${path}`, { ...init, headers })
  if (response.ok) return response
  throw new HaftError(response.status, await errorOf(response))
}

async function errorOf(response: Response): Promise<ErrorBody['error']> {
  const body: unknown = await response.json().catch(() => undefined)
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const { code, message, details } = error
  return {
    code: typeof code === 'string' ? code : 'UNAVAILABLE',
    message: typeof message === 'string' ? message : `The server answered with status ${response.status}.`,
    ...(isRecord(details) && { details }),
  }
}
