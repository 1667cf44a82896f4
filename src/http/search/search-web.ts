import { ToolError } from '../../core/call/result.ts'
import { hostOfUrl } from '../../core/network/web-host.ts'
import type { FoundPage, HttpRequest } from '../../core/ports/http.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ConnectOptions } from '../connect-checked.ts'
import { fetchUrl } from '../follow-redirects.ts'
import { keyVariable, type SearchProvider } from './search-provider.ts'

/** The largest answer of a search service, in bytes. */
const MAX_ANSWER = 5_000_000

interface SearchOptions {
  readonly provider: SearchProvider | undefined
  readonly access: ConnectOptions
}

/** Searches through the provider. Rejects with ToolError, also where none is set up. */
export async function searchWeb(
  query: string,
  limit: number,
  { provider, access }: SearchOptions,
): Promise<readonly FoundPage[]> {
  if (provider === undefined) throw new ToolError('UNAVAILABLE', HOW_TO)
  const { url } = provider
  const host = hostOfUrl(new URL(url))
  const { status, text = '' } = await fetchUrl(requestFor(provider, query, limit), {
    ...access,
    refuse: (asked) => (asked === host ? undefined : `${asked} is not the search service of your settings.`),
  })
  if (status !== 200) throw refusedBy(provider, status, text)
  return readPages(provider, text).slice(0, limit)
}

const HOW_TO =
  'No search service is set up. A person can set one in settings.toml of HAFT_HOME, under [web]: search = "searxng:http://127.0.0.1:8888" (your own SearXNG with its JSON format on), search = "brave" (key in BRAVE_API_KEY) or search = "tavily" (key in TAVILY_API_KEY).'

function requestFor(provider: SearchProvider, query: string, limit: number): HttpRequest {
  const { kind, key } = provider
  const base = { seconds: 0, limit: MAX_ANSWER }
  const url = new URL(provider.url)
  if (kind === 'searxng') {
    if (!/\/search\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/$/, '')}/search`
    url.searchParams.set('q', query)
    url.searchParams.set('format', 'json')
    return { ...base, url: url.href, headers: { accept: 'application/json' } }
  }
  if (key === undefined)
    throw new ToolError(
      'UNAVAILABLE',
      `The search service ${kind} needs a key: set ${keyVariable(kind)} in the environment of Haft.`,
    )
  if (kind === 'brave') {
    url.searchParams.set('q', query)
    url.searchParams.set('count', String(Math.min(limit, 20)))
    return { ...base, url: url.href, headers: { accept: 'application/json', 'x-subscription-token': key } }
  }
  return {
    ...base,
    url: url.href,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, max_results: Math.min(limit, 20) }),
  }
}

const HINTS: Readonly<Record<string, string>> = {
  'searxng 403': ' Its JSON format is off: add "json" to search.formats in its settings.yml.',
  'brave 401': ` Check the key in ${keyVariable('brave')}.`,
  'brave 422': ` Check the key in ${keyVariable('brave')}.`,
  'tavily 401': ` Check the key in ${keyVariable('tavily')}.`,
}

function refusedBy({ kind }: SearchProvider, status: number, text: string): ToolError {
  const hint = HINTS[`${kind} ${status}`] ?? ''
  const said = text.trim().slice(0, 300)
  return new ToolError(
    'EXECUTION_ERROR',
    `The search service ${kind} answered ${status}.${hint}${said === '' ? '' : ` It said: ${said}`}`,
    {
      details: { status },
      retryable: status === 429 || status >= 500,
    },
  )
}

function readPages({ kind }: SearchProvider, text: string): readonly FoundPage[] {
  const answer = parseJson(text)
  const holder = kind === 'brave' && isRecord(answer) ? (answer.web ?? { results: [] }) : answer
  const results = isRecord(holder) ? holder.results : undefined
  if (!Array.isArray(results))
    throw new ToolError(
      'EXECUTION_ERROR',
      `The search service ${kind} answered something that is not a list of results.`,
    )
  return results.flatMap((one: unknown) => {
    if (!isRecord(one) || typeof one.url !== 'string' || !/^https?:/i.test(one.url)) return []
    const snippet = kind === 'brave' ? one.description : one.content
    return [{ title: plain(one.title), url: one.url, snippet: plain(snippet) }]
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
  nbsp: ' ',
}

/** Services mark the words they found with tags. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .replace(/<\/?(strong|b|em|span|mark)\b[^<>]{0,100}>/gi, '')
    .replace(/&(amp|lt|gt|quot|#x27|#39|nbsp);/gi, (all, name: string) => ENTITIES[name.toLowerCase()] ?? all)
    .replace(/\s+/g, ' ')
    .trim()
}
