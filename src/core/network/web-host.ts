/** The ports that a host without a port means. */
const WEB_PORTS: readonly number[] = [80, 443]

/** A host as rules, settings and touches name it: `example.com`, `*.example.com`, `127.0.0.1:8080`, `[::1]:3000`. */
export interface WebHost {
  /** In lower case and ASCII, without a final dot. */
  readonly host: string
  /** Undefined where the host stands for the ports of the web. */
  readonly port: number | undefined
}

/** Reads a host with an optional port. Undefined for what no URL could hold. */
export function readHost(text: string): WebHost | undefined {
  const [, wildcard = '', name = '', port] = /^(\*\.)?(\[[^\]]*\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  const host = URL.parse(`http://${name}/`)?.hostname
  if (host === undefined || host === '' || host.includes('*') || (wildcard !== '' && isAddress(host))) return undefined
  const number = port === undefined ? undefined : Number(port)
  if (number !== undefined && (number < 1 || number > 65_535)) return undefined
  return { host: `${wildcard}${withoutDot(host)}`, port: number }
}

/** True for an IP address as the host of a URL. */
export function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

/** True for the names of this machine. */
export function isLocalName(host: string): boolean {
  return /^(localhost|.*\.localhost|localhost\.localdomain|ip6-(localhost|loopback)|.*\.localdomain)$/.test(host)
}

/** The host of a URL for touches, with its port unless that is the one of its protocol. */
export function hostOfUrl(url: URL): string {
  return `${withoutDot(url.hostname)}${url.port === '' ? '' : `:${url.port}`}`
}

/** The port that a URL connects to. */
export function portOfUrl(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** A host and port in the form of touches: the ports of the web are left out. */
export function showHost(host: string, port: number): string {
  return WEB_PORTS.includes(port) ? host : `${host}:${port}`
}

/** True if a pattern covers a host. Without a port, a pattern that allows covers the ports of the web, and one that forbids or asks covers every port. `*.example.com` covers subdomains, not example.com itself. */
export function coversHost(pattern: string, host: string, decision: 'allow' | 'ask' | 'deny'): boolean {
  const [wanted, given] = [readHost(pattern), readHost(host)]
  if (wanted === undefined || given === undefined) return pattern.toLowerCase() === host.toLowerCase()
  const isNamed = wanted.host.startsWith('*.') ? given.host.endsWith(wanted.host.slice(1)) : given.host === wanted.host
  if (!isNamed || wanted.port === given.port) return isNamed
  if (wanted.port === undefined) return decision !== 'allow' || isWebPort(given.port)
  return given.port === undefined && isWebPort(wanted.port)
}

function isWebPort(port: number | undefined): boolean {
  return port !== undefined && WEB_PORTS.includes(port)
}

function withoutDot(host: string): string {
  return host.replace(/\.$/, '')
}
