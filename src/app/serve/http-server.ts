import type { Home } from '../home.ts'

/** Where a server listens. */
export interface ListenOptions {
  /** 127.0.0.1 when left out. */
  readonly hostname?: string | undefined
  /** 0 for any free port. */
  readonly port: number
}

/** Takes a port. Rejects where it cannot be had, with the code EADDRINUSE where it is in use. */
export type Listen = (options: ListenOptions) => Promise<ListeningServer>

/** A port that is taken, before a home is there to serve. Requests wait until then. */
export interface ListeningServer {
  readonly hostname: string
  readonly port: number
  /** True if other machines can reach it. */
  readonly isOpenToAll: boolean
  /** Serves a home. */
  serve(home: Home, options: ServeOptions): RunningServer
  close(): void
}

/** How a home is served. */
export interface ServeOptions {
  /** Haft's own folder, where the token is kept. */
  readonly folder: string
  /** The token, in place of the one that is kept. */
  readonly token?: string | undefined
  /** The origin of a reverse proxy, which is accepted beside the address that the server listens on, and is used in links. */
  readonly publicUrl?: string | undefined
  /** The workspace of requests that name none. */
  readonly workspace: string
  readonly version: string
  /** The folder with the files of the page. */
  readonly page: string
  /** Called with what went wrong inside the server. */
  onFault(thrown: unknown): void
}

/** A server that answers. */
export interface RunningServer {
  readonly url: string
  readonly token: string
  /** Makes a link with a new one-time code. */
  makeLink(): { readonly link: string; readonly expiresAt: number }
  /** Tells streams, ends connections and stops listening. The home stays open. */
  close(): Promise<void>
}
