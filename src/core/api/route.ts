import type { Schema, Shape, ShapeType } from '../tool/schema.ts'

/** One route of the HTTP interface, as data. The server checks requests by it, and the OpenAPI document and the client's types are made from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api/tools/{name}/call`; every name in braces is in `params`. */
  readonly path: `/api/${string}`
  /** One sentence: what it does. */
  readonly about: string
  readonly params?: Shape
  readonly query?: Shape
  /** The members of the JSON body. No two of `params`, `query` and `body` share a name. */
  readonly body?: Shape
  /** The largest body, in bytes; 1 MB when left out. */
  readonly bodyLimit?: number
  /** What it answers, by status. */
  readonly answers: Readonly<Record<number, Schema<unknown>>>
  /** True where it answers with a stream of events. */
  readonly isStream?: true
  /** True where no token is needed. */
  readonly isOpen?: true
}

type MembersOf<S> = S extends Shape ? ShapeType<S> : unknown

/** Everything that a request of a route holds: parameters of its path and query, and members of its body. */
export type RouteInput<R extends Route> = MembersOf<R['params']> & MembersOf<R['query']> & MembersOf<R['body']>

type TypeOfSchema<S> = S extends Schema<infer T> ? T : never

/** What a route answers, whatever the status. */
export type RouteAnswer<R extends Route> = TypeOfSchema<R['answers'][keyof R['answers']]>

/** The body of every answer that reports an error. */
export interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}
