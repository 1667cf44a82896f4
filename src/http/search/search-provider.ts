/** The search services that are understood. */
export const SEARCH_KINDS = ['searxng', 'brave', 'tavily'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** A search service, with its address and key. */
export interface SearchProvider {
  readonly kind: SearchKind
  readonly url: string
  /** The key, or undefined where the service needs one and the environment has none. */
  readonly key?: string | undefined
}

/** The usual addresses of the services, and the variables that hold their keys. */
const KNOWN: Readonly<
  Record<Exclude<SearchKind, 'searxng'>, { readonly url: string; readonly keys: readonly string[] }>
> = {
  brave: {
    url: 'https://api.search.brave.com/res/v1/web/search',
    keys: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
  },
  tavily: { url: 'https://api.tavily.com/search', keys: ['TAVILY_API_KEY'] },
}

/** Reads the setting `search`: `searxng:http://127.0.0.1:8888`, `brave` or `tavily`, these with another address if one follows. Returns what is wrong as text. */
export function readProvider(
  setting: string,
  env: Readonly<Record<string, string | undefined>>,
): SearchProvider | string {
  const [, name = '', address] = /^(\w+)(?::(.*))?$/s.exec(setting) ?? []
  const kind = SEARCH_KINDS.find((one) => one === name)
  if (kind === undefined) return `expected "searxng:ADDRESS", "brave" or "tavily", not "${setting}"`
  if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    return `expected an address such as "${kind}:http://127.0.0.1:8888", not "${setting}"`
  if (kind === 'searxng')
    return address === undefined ? 'SearXNG needs an address: "searxng:http://127.0.0.1:8888"' : { kind, url: address }
  const { url, keys } = KNOWN[kind]
  return { kind, url: address ?? url, key: keys.map((key) => env[key]).find((key) => key !== undefined && key !== '') }
}

/** Every variable that may hold the key of a service. */
export const SEARCH_KEY_VARIABLES: readonly string[] = Object.values(KNOWN).flatMap(({ keys }) => keys)

/** Returns the variable that holds the key of a service. */
export function keyVariable(kind: Exclude<SearchKind, 'searxng'>): string {
  return KNOWN[kind].keys[0] ?? ''
}
