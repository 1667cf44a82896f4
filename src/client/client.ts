import type { Route } from '../core/api/route.ts'
import { type AnswerOf, type InputOf, ROUTES, type RouteName } from '../core/api/routes.ts'
import { type FollowClientOptions, followEvents, type StreamedEvent } from './follow-events.ts'
import { type ClientOptions, callRoute, type Input, type SendRequest, sendRequest } from './request.ts'

export type { Routes } from '../core/api/routes.ts'
export { drawSession } from '../core/session/draw-session.ts'
export type { Event } from '../core/session/event.ts'
export type { SessionView } from '../core/session/session-view.ts'
export type { FollowClientOptions, StreamedEvent, StreamState } from './follow-events.ts'
export { type ClientOptions, HaftError } from './request.ts'
export type { AnswerOf, InputOf, RouteName }

/** The options of one request. */
export interface RequestOptions {
  readonly signal?: AbortSignal
}

/** Routes that answer with one value. */
type ValueRoute = Exclude<RouteName, 'followSession' | 'followAll'>

type Call<Name extends ValueRoute> =
  object extends InputOf<Name>
    ? (input?: InputOf<Name>, options?: RequestOptions) => Promise<AnswerOf<Name>>
    : (input: InputOf<Name>, options?: RequestOptions) => Promise<AnswerOf<Name>>

/** A client of the HTTP interface: one function for each route, and the events as a loop. Every function rejects with HaftError where the server refuses, and with what `fetch` throws where it cannot be reached. */
export type Client = { readonly [Name in ValueRoute]: Call<Name> } & {
  /** Yields events of one session from its first, or of all sessions from now on. Connects again and goes on where it was, until the signal aborts; each event comes once. Throws HaftError where the server refuses. */
  events(options?: FollowClientOptions): AsyncGenerator<StreamedEvent, undefined>
}

/** Makes a client. It runs in browsers and in Node, and needs nothing but `fetch`. */
export function createClient(options: ClientOptions = {}): Client {
  const request: SendRequest = (path, init) => sendRequest(path, init, options)
  const calls = Object.entries<Route>(ROUTES)
    .filter(([, { isStream }]) => !isStream)
    .map(([name, route]) => [
      name,
      (input: Input = {}, given: RequestOptions = {}) => callRoute(route, { input, ...given }, request),
    ])
  // Each route's function has the types of that route, which the compiler cannot see through a loop.
  const client = Object.fromEntries(calls) as Omit<Client, 'events'>
  return { ...client, events: (given = {}) => followEvents(given, request) } as Client
}
