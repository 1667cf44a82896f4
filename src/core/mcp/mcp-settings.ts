/** A server that Haft starts as a program and talks to over its standard input and output. */
export interface LocalMcpServer {
  readonly command: string
  readonly args?: readonly string[]
  /** Added to a small environment (HOME, PATH, USER …); `${NAME}` stands for a variable of Haft's own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** The folder that the program starts in; the home folder when left out. */
  readonly cwd?: string
  /** Seconds that one call may take; 60 when left out. */
  readonly timeout?: number
}

/** A server that is reached over HTTP. */
export interface RemoteMcpServer {
  readonly url: string
  /** Sent with each request; `${NAME}` stands for a variable of Haft's own environment. */
  readonly headers?: Readonly<Record<string, string>>
  /** For a server whose sign-in does not register programs by itself. */
  readonly oauth?: McpOAuth
  /** Seconds that one call may take; 60 when left out. */
  readonly timeout?: number
}

/** How Haft is registered with the server that gives tokens. `${NAME}` stands for a variable of Haft's own environment. */
export interface McpOAuth {
  readonly clientId: string
  readonly clientSecret?: string
  /** The port of the address that the browser comes back to, where the registration names one. */
  readonly port?: number
}

/** One `[mcp.NAME]` table of the settings. */
export type McpServerSettings = LocalMcpServer | RemoteMcpServer

/** True for a server that is a program of this machine. */
export function isLocal(settings: McpServerSettings): settings is LocalMcpServer {
  return 'command' in settings
}

/** Returns a server in one line, without its environment and headers, which may hold secrets. */
export function describeTarget(settings: McpServerSettings): string {
  if (isLocal(settings)) return [settings.command, ...(settings.args ?? [])].join(' ')
  const address = URL.parse(settings.url)
  // A key may be part of the query.
  return address === null ? settings.url : `${address.origin}${address.pathname}`
}
