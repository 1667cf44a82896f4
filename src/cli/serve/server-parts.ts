import type { Home } from '../../app/home.ts'

/** A port that is taken, before there is a home to serve. */
export interface ListeningServer {
  readonly hostname: string
  readonly port: number
  /** True if other machines can reach it. */
  readonly isOpenToAll: boolean
  serve(home: Home, options: ServeOptions): RunningServer
  close(): void
}

/** How a home is served. */
export interface ServeOptions {
  readonly folder: string
  readonly token?: string | undefined
  readonly workspace: string
  readonly version: string
  readonly page: string
  onFault(thrown: unknown): void
}

/** A server that answers. */
export interface RunningServer {
  readonly url: string
  makeLink(): { readonly link: string; readonly expiresAt: number }
  close(): Promise<void>
}

/** Takes a port. Rejects with the code EADDRINUSE where it is in use. */
export type Listen = (options: { readonly hostname: string; readonly port: number }) => Promise<ListeningServer>
