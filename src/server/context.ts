import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Home } from '../app/home.ts'
import type { Host } from '../app/host.ts'
import type { AnswerOf, InputOf, RouteName } from '../core/api/routes.ts'
import { messageOf } from '../core/call/result.ts'
import type { OwnHost } from './own-host.ts'
import { HttpError, refusalOfThrown } from './request/http-error.ts'
import type { Streams } from './stream/streams.ts'

/** What all handlers of a server share. */
export interface ServerParts {
  readonly home: Home
  /** The workspace of requests that name none. */
  readonly workspace: string
  readonly ownHost: OwnHost
  readonly version: string
  readonly streams: Streams
  /** Exchanges a one-time code for the token; undefined where the code is wrong. Wrong codes wait. */
  signIn(code: string): Promise<string | undefined>
  /** Makes a link with a new one-time code. */
  makeLink(): { readonly link: string; readonly expiresAt: number }
}

/** One request, for handlers that need more than its members. */
export interface RequestParts extends ServerParts {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Returns a signal that aborts when the caller has gone before the answer. */
  signal(): AbortSignal
}

/** An answer with a status or headers of its own. */
export class Answered<T> {
  readonly status: number
  readonly value: T
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, value: T, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.value = value
    this.headers = headers
  }
}

/** Returned by a handler that has sent its answer itself. */
export const SENT = Symbol('sent')

/** What handlers of a route return: the answer, with the first status of the route where it names none. */
export type Handler<Name extends RouteName> = (
  input: InputOf<Name>,
  request: RequestParts,
) => Promise<AnswerOf<Name> | Answered<AnswerOf<Name>> | typeof SENT>

/** The handlers of some routes. */
export type Handlers<Name extends RouteName> = { readonly [One in Name]: Handler<One> }

/** `by` of what people do through this interface, in the log. */
export const BY = 'http'

/** Calls of sessions that this server runs wait for an answer from any interface. */
export const CALLER = { wait: true, by: BY } as const

/** Works in the host of a workspace, that of the server where none is named. Rejects with HttpError where it cannot be opened. */
export async function withHost<T>(
  { home, workspace, ownHost }: ServerParts,
  given: string | undefined,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  if (given === undefined || given === workspace) return work(await orExplain(ownHost.open()))
  const host = await openHost(home, given)
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

async function openHost(home: Home, workspace: string): Promise<Host> {
  if (!workspace.startsWith('/') || workspace.includes('\0'))
    throw new HttpError('INVALID_ARGUMENTS', 'The workspace must be an absolute path.')
  return orExplain(home.host(workspace))
}

/** Turns the failure to open a workspace into a refusal. */
export function orExplain<T>(opening: Promise<T>): Promise<T> {
  return opening.catch((thrown: unknown) => {
    throw (
      refusalOfThrown(thrown) ??
      new HttpError('INVALID_ARGUMENTS', `The workspace cannot be opened: ${messageOf(thrown)}.`)
    )
  })
}
