import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '../core/api/route.ts'
import { ROUTES, type RouteName } from '../core/api/routes.ts'
import { isRecord } from '../core/text/json.ts'
import { Answered, type Handlers, type RequestParts, SENT, type ServerParts } from './context.ts'
import type { Listener } from './gate.ts'
import { createInputCheck } from './request/check-input.ts'
import { HttpError, refusalOfThrown } from './request/http-error.ts'
import { BODY_LIMIT, hasBody, readBody } from './request/read-body.ts'
import { sendJson, sendRefusal } from './request/send.ts'
import { createRouter, type Found } from './router.ts'
import { approvalHandlers } from './routes/approvals.ts'
import { callHandlers } from './routes/calls.ts'
import { eventHandlers } from './routes/events.ts'
import { homeHandlers } from './routes/home.ts'
import { mcpHandlers } from './routes/mcp.ts'
import { modelHandlers } from './routes/models.ts'
import { planHandlers } from './routes/plans.ts'
import { ruleHandlers } from './routes/rules.ts'
import { sessionHandlers } from './routes/sessions.ts'
import { settingHandlers } from './routes/settings.ts'
import { taskHandlers } from './routes/tasks.ts'
import { toolHandlers } from './routes/tools.ts'

/** A handler for each route: one that is missing does not compile. */
const HANDLERS: Handlers<RouteName> = {
  ...toolHandlers,
  ...callHandlers,
  ...sessionHandlers,
  ...eventHandlers,
  ...approvalHandlers,
  ...taskHandlers,
  ...modelHandlers,
  ...mcpHandlers,
  ...planHandlers,
  ...ruleHandlers,
  ...homeHandlers,
  ...settingHandlers,
}

/** What the interface needs besides a home. */
export interface AppParts extends ServerParts {
  /** Called with what went wrong inside the server. */
  onFault(thrown: unknown): void
}

/** What answers the requests of one route. */
type Endpoint = (incoming: IncomingMessage, outgoing: ServerResponse, params: Found<unknown>['params']) => void

/** Makes the listener for requests to the interface. They have been checked: host, origin, path and token. */
export function createApp(parts: AppParts): Listener {
  const endpoints = new Map<string, Map<string, Endpoint>>()
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const methods = endpoints.get(route.path) ?? new Map<string, Endpoint>()
    endpoints.set(route.path, methods.set(route.method, createEndpoint(name as RouteName, route, parts)))
  }
  const find = createRouter(endpoints)
  return (incoming, outgoing) => {
    const found = find(pathOf(incoming))
    if (found === undefined) return sendRefusal(outgoing, new HttpError('FILE_NOT_FOUND', 'There is no such route.'))
    const endpoint = found.value.get(incoming.method ?? '')
    if (endpoint === undefined) return sendRefusal(outgoing, wrongMethod([...found.value.keys()]))
    endpoint(incoming, outgoing, found.params)
  }
}

function wrongMethod(allowed: readonly string[]): HttpError {
  const headers = { Allow: allowed.join(', ') }
  return new HttpError('INVALID_ARGUMENTS', `Use ${headers.Allow} here.`, { status: 405, headers })
}

/** Makes what answers requests of one route. */
function createEndpoint(name: RouteName, route: Route, parts: AppParts): Endpoint {
  const check = createInputCheck(route)
  const [first = '200'] = Object.keys(route.answers)
  // Each handler takes the input of its own route, which `check` has just verified.
  const handle = HANDLERS[name] as (input: unknown, request: RequestParts) => Promise<unknown>
  return async (incoming, outgoing, params) => {
    try {
      const input = await check({ params, query: queryOf(incoming), body: await bodyOf(incoming, route) })
      const answered = await handle(input, { ...parts, incoming, outgoing, signal: signalOf(outgoing) })
      if (answered instanceof Answered)
        sendJson(outgoing, { status: answered.status, value: answered.value, headers: answered.headers })
      else if (answered !== SENT) sendJson(outgoing, { status: Number(first), value: answered })
    } catch (thrown) {
      sendRefusal(outgoing, refusalOfThrown(thrown) ?? reportFault(thrown, parts))
    }
  }
}

/** Makes the signal of a request at its first use; most handlers need none (gate 8a). */
function signalOf(outgoing: ServerResponse): RequestParts['signal'] {
  let gone: AbortController | undefined
  return () => {
    if (gone) return gone.signal
    const made = new AbortController()
    gone = made
    if (outgoing.destroyed) made.abort()
    else outgoing.once('close', () => outgoing.writableFinished || made.abort())
    return made.signal
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : new URLSearchParams(url.slice(start + 1))
}

async function bodyOf(incoming: IncomingMessage, { body, bodyLimit = BODY_LIMIT }: Route): Promise<unknown> {
  const isNeeded = Object.values(body ?? {}).some((one) => !('optional' in one))
  if (!isNeeded && !hasBody(incoming)) return undefined
  // Many clients send {} with every POST.
  if (body || incoming.method === 'POST') {
    const given = await readBody(incoming, bodyLimit)
    if (body) return given
    if (isRecord(given) && Object.keys(given).length === 0) return undefined
  }
  throw new HttpError('INVALID_ARGUMENTS', 'This route takes no body.')
}

/** A fault of ours: the caller is told that there was one, and not what it says. */
function reportFault(thrown: unknown, { onFault }: AppParts): HttpError {
  onFault(thrown)
  return new HttpError('EXECUTION_ERROR', 'Something went wrong inside Haft. The terminal of the server says what.')
}
