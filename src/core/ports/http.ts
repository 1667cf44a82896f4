/** One request of a tool. */
export interface HttpRequest {
  readonly url: string
  /** GET when left out. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Wall time of everything, redirects included. */
  readonly seconds: number
  /** The most bytes of the body, after decompression. What follows is dropped, and `isCut` says so. */
  readonly limit: number
}

/** The response of the last of all redirects. */
export interface HttpResponse {
  /** The address that answered. */
  readonly url: string
  readonly status: number
  /** Names in lower case; values of repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The media type without parameters, in lower case; empty when the server names none. */
  readonly type: string
  readonly bytes: Uint8Array
  /** The body as text, decoded by its charset; undefined for binary data. */
  readonly text: string | undefined
  /** True if the body was longer than the limit. */
  readonly isCut: boolean
}

/** The network, as far as one call may reach it. Every method rejects with ToolError. */
export interface Http {
  /** Makes a request and follows redirects. Every host is checked before its name is looked up, and every address before it is connected to. */
  fetch(request: HttpRequest): Promise<HttpResponse>
  /** Returns the main content of a page as Markdown. Runs no script and loads nothing. */
  markdown(html: string, url: string): Promise<string>
  /** Searches the web through the provider of the settings. */
  search(query: string, limit: number, seconds: number): Promise<readonly FoundPage[]>
}

/** One result of a web search. */
export interface FoundPage {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

/** The answer to whether a call may connect to a host: undefined if it may, else who refuses and why, as a sentence. */
export type RefuseHost = (host: string) => Promise<string | undefined> | string | undefined

/** The call that reaches the network. */
export interface HttpCall {
  readonly session: string
  /** Hosts of the settings for this kind of call; addresses among them may be reached although they are not public. */
  readonly opened: readonly string[]
  readonly signal: AbortSignal
  readonly refuse: RefuseHost
  /** Called when a connection is closed because of what it asked for. */
  refused?(reason: string): void
}

/** A stream of bytes in both directions: in Node a `Duplex`, whose type is not named here, so that whoever imports Haft needs no types of Node. */
export interface Connection {
  readonly readableEnded: boolean
  on(event: 'error' | 'close', listener: () => void): unknown
  destroy(error?: Error): unknown
}

/** Guarded access to the network. */
export interface GuardedHttp {
  /** The network of one call. */
  forCall(call: HttpCall): Http
  /** Opens a connection for a command. Rejects with ToolError. */
  connect(target: { readonly host: string; readonly port: number }, call: HttpCall): Promise<Connection>
}
