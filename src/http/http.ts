import { ToolError } from '../core/call/result.ts'
import { isAddress, isLocalName, readHost, showHost } from '../core/network/web-host.ts'
import type { GuardedHttp, Http, HttpCall } from '../core/ports/http.ts'
import { plainAddress, whyNotPublic } from './addresses.ts'
import { checkFirstBytes } from './check-first-bytes.ts'
import { type ConnectOptions, connectChecked } from './connect-checked.ts'
import { type Network, SYSTEM_NETWORK } from './network.ts'
import type { SearchProvider } from './search/search-provider.ts'

/** The options of the access to the network. */
export interface HttpOptions {
  /** The network of this machine when left out. */
  readonly network?: Network | undefined
  /** The search provider of the settings. */
  readonly search?: SearchProvider | undefined
  /** True for a port of Haft's own server. */
  isOwnPort(port: number): boolean
  /** True for a port of this machine that a task of the session has opened. */
  isTaskPort(port: number, session: string): boolean
}

/** Opens the guarded access to the network, the only one that tools and commands get. */
export function createHttp({ network = SYSTEM_NETWORK, search, isOwnPort, isTaskPort }: HttpOptions): GuardedHttp {
  const accessFor = ({ session, opened }: HttpCall, signal: AbortSignal): ConnectOptions => {
    const literals = listLiterals(opened)
    return {
      network,
      isOwnPort,
      isOpened: (address, port) =>
        literals.has(`${address} ${port}`) || (address === '127.0.0.1' && isTaskPort(port, session)),
      signal,
    }
  }
  const forCall = (call: HttpCall): Http => ({
    async fetch(request) {
      const { fetchUrl } = await import('./follow-redirects.ts')
      return withTime(request.seconds, call.signal, (signal) =>
        fetchUrl(request, { ...accessFor(call, signal), refuse: call.refuse }),
      )
    },
    async markdown(html, url) {
      const { toMarkdown } = await import('./markdown.ts')
      return toMarkdown(html, url)
    },
    async search(query, limit, seconds) {
      const { searchWeb } = await import('./search/search-web.ts')
      return withTime(seconds, call.signal, (signal) =>
        searchWeb(query, limit, { provider: search, access: providerAccess(accessFor(call, signal), search) }),
      )
    },
  })
  return {
    forCall,
    async connect({ host, port }, call) {
      const target = readHost(`${host}:${port}`)
      if (target === undefined) throw new ToolError('BLOCKED', `${JSON.stringify(host.slice(0, 200))} is not a host.`)
      const refusal = await call.refuse(showHost(target.host, port))
      if (refusal !== undefined) throw new ToolError('BLOCKED', refusal)
      const socket = await connectChecked({ host: target.host, port }, accessFor(call, call.signal))
      // On this machine one port is one server, whatever it is called.
      if (isAddress(target.host) || isLocalName(target.host)) return socket
      return checkFirstBytes(socket, target.host, (reason) => call.refused?.(reason))
    },
  }
}

/** The address of the search provider is the person's own setting, so it is open. */
function providerAccess(options: ConnectOptions, provider: SearchProvider | undefined): ConnectOptions {
  const url = provider && URL.parse(provider.url)
  if (!url) return options
  const own = listLiterals([`${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port}`])
  return { ...options, isOpened: (address, port) => own.has(`${address} ${port}`) || options.isOpened(address, port) }
}

/** The addresses among hosts, each with its ports; without a port those of the web. */
function listLiterals(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(
    hosts.flatMap((text) => {
      const given = readHost(text)
      if (given === undefined) return []
      const address = isLocalName(given.host)
        ? '127.0.0.1'
        : isAddress(given.host)
          ? plainAddress(given.host)
          : undefined
      if (address === undefined) return []
      return (given.port === undefined ? [80, 443] : [given.port]).map((port) => `${address} ${port}`)
    }),
  )
}

/** Returns why a host in a URL can never be reached: it names this machine, or an address that is not public and not opened. Looks nothing up. */
export function whyPrivate(host: string, opened: readonly string[]): string | undefined {
  const given = readHost(host)
  if (given === undefined) return undefined
  const address = isLocalName(given.host) ? '127.0.0.1' : isAddress(given.host) ? plainAddress(given.host) : undefined
  const why = address === undefined ? undefined : whyNotPublic(address)
  if (why === undefined) return undefined
  const literals = listLiterals(opened)
  const ports = given.port === undefined ? [80, 443] : [given.port]
  return ports.some((port) => literals.has(`${address} ${port}`)) ? undefined : why
}

/** Ends the work when its time has passed, with a failure that says so. */
async function withTime<Result>(
  seconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timer = AbortSignal.timeout(Math.max(1, seconds * 1000))
  try {
    return await work(AbortSignal.any([outer, timer]))
  } catch (thrown) {
    if (outer.aborted) throw new ToolError('CANCELLED', 'The connection was closed.')
    if (!timer.aborted || thrown instanceof ToolError) throw thrown
    throw new ToolError('TIMEOUT', `The response was not complete after ${seconds} s, and the connection was closed.`, {
      details: { seconds },
      retryable: true,
    })
  }
}
