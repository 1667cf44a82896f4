import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Route } from '../core/api/route.ts'
import { ROUTES, type RouteName } from '../core/api/routes.ts'
import { Answered, type Handlers, type RequestParts, SENT, type ServerParts } from './context.ts'
import { createInputCheck } from './request/check-input.ts'
import { HttpError, refusalOfThrown } from './request/http-error.ts'
import { BODY_LIMIT, hasBody, readBody } from './request/read-body.ts'
import { sendJson, sendRefusal } from './request/send.ts'
import { approvalHandlers } from './routes/approvals.ts'
import { callHandlers } from './routes/calls.ts'
import { eventHandlers } from './routes/events.ts'
import { homeHandlers } from './routes/home.ts'
import { mcpHandlers } from './routes/mcp.ts'
import { modelHandlers } from './routes/models.ts'
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
  ...ruleHandlers,
  ...homeHandlers,
  ...settingHandlers,
}

/** What the interface needs besides a home. */
export interface AppParts extends ServerParts {
  /** Called with what went wrong inside the server. */
  onFault(thrown: unknown): void
}

type Env = { Bindings: HttpBindings }

/** Makes the listener for requests to the interface. They have been checked: host, origin, path and token. */
export function createApp(parts: AppParts): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const app = new Hono<Env>()
  const methods = new Map<string, string[]>()
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(path, [...(methods.get(path) ?? []), route.method])
    app.on(route.method, path, createEndpoint(name as RouteName, route, parts))
  }
  const refuse = (context: Context<Env>, refusal: HttpError) => {
    sendRefusal(context.env.outgoing, refusal)
    return RESPONSE_ALREADY_SENT
  }
  for (const [path, allowed] of methods) {
    const headers = { Allow: allowed.join(', ') }
    app.all(path, (context) =>
      refuse(context, new HttpError('INVALID_ARGUMENTS', `Use ${headers.Allow} here.`, { status: 405, headers })),
    )
  }
  app.notFound((context) => refuse(context, new HttpError('FILE_NOT_FOUND', 'There is no such route.')))
  return getRequestListener(app.fetch as Parameters<typeof getRequestListener>[0], {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  })
}

/** Makes what answers requests of one route. */
function createEndpoint(name: RouteName, route: Route, parts: AppParts) {
  const check = createInputCheck(route)
  const [first = '200'] = Object.keys(route.answers)
  // Each handler takes the input of its own route, which `check` has just verified.
  const handle = HANDLERS[name] as (input: unknown, request: RequestParts) => Promise<unknown>
  return async ({ req, env }: Context<Env>): Promise<Response> => {
    const { incoming, outgoing } = env
    const gone = new AbortController()
    const leave = () => gone.abort()
    outgoing.once('close', leave)
    try {
      const input = await check({ params: req.param(), query: queryOf(incoming), body: await bodyOf(incoming, route) })
      const request = { ...parts, incoming, outgoing, signal: gone.signal }
      const answered = await handle(input, request)
      if (answered instanceof Answered)
        sendJson(outgoing, { status: answered.status, value: answered.value, headers: answered.headers })
      else if (answered !== SENT) sendJson(outgoing, { status: Number(first), value: answered })
    } catch (thrown) {
      sendRefusal(outgoing, refusalOfThrown(thrown) ?? reportFault(thrown, parts))
    } finally {
      outgoing.off('close', leave)
    }
    return RESPONSE_ALREADY_SENT
  }
}

const NO_QUERY = new URLSearchParams()

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?')
  return start < 0 ? NO_QUERY : new URLSearchParams(url.slice(start + 1))
}

async function bodyOf(incoming: IncomingMessage, { body, bodyLimit = BODY_LIMIT }: Route): Promise<unknown> {
  if (body && (hasBody(incoming) || Object.values(body).some((one) => !('optional' in one))))
    return readBody(incoming, bodyLimit)
  if (body || !hasBody(incoming)) return undefined
  throw new HttpError('INVALID_ARGUMENTS', 'This route takes no body.')
}

/** A fault of ours: the caller is told that there was one, and not what it says. */
function reportFault(thrown: unknown, { onFault }: AppParts): HttpError {
  onFault(thrown)
  return new HttpError('EXECUTION_ERROR', 'Something went wrong inside Haft. The terminal of the server says what.')
}
