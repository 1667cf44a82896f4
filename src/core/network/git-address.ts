/** Where a git address leads: to a host over a protocol that Haft allows, or to a folder of this machine. */
export interface GitAddress {
  readonly kind: 'https' | 'http' | 'ssh' | 'folder'
  /** Host with its port, where one is named; empty for a folder. */
  readonly host: string
  /** The address without credentials. */
  readonly shown: string
}

/** Reads the address of a remote. Returns undefined for any other protocol (`ext::` runs a command), and for what a program would read as an option. */
export function readGitAddress(url: string): GitAddress | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an address holds none.
  if (url === '' || url.startsWith('-') || /[\u0000-\u0020\u007f]/.test(url) || /^[\w.+-]+::/.test(url))
    return undefined
  const [, protocol = '', rest = ''] = /^([a-z][\w+.-]*):\/\/(.*)$/is.exec(url) ?? []
  if (protocol !== '') return readProtocol(protocol.toLowerCase(), rest, url)
  const [, host = ''] = /^(?:[^/@:]+@)?(\[[\da-f:]+\]|[^/:]+):/i.exec(url) ?? []
  if (host === '') return { kind: 'folder', host: '', shown: url }
  return host.startsWith('-') ? undefined : { kind: 'ssh', host, shown: url }
}

function readProtocol(protocol: string, rest: string, url: string): GitAddress | undefined {
  if (protocol === 'file') return rest.startsWith('/') ? { kind: 'folder', host: '', shown: url } : undefined
  const kind = protocol === 'ssh' || protocol === 'git+ssh' || protocol === 'ssh+git' ? 'ssh' : protocol
  if (kind !== 'https' && kind !== 'http' && kind !== 'ssh') return undefined
  const authority = rest.replace(/[/?#].*$/s, '')
  const host = authority.replace(/^.*@/s, '')
  if (host === '' || host.startsWith('-')) return undefined
  return { kind, host, shown: maskCredentials(url) }
}

/** Hides the user and password in the web addresses of a text; the user of an ssh address is no secret. */
export function maskCredentials(text: string): string {
  return text
    .replace(/\b(https?:\/\/)[^\s/?#]*@/gi, '$1***@')
    .replace(/\b(ssh:\/\/[^\s/?#:@]*):[^\s/?#]*@/gi, '$1:***@')
}
