import { type Answer, answer, ToolError } from '../core/call/result.ts'
import { hostOfUrl } from '../core/network/web-host.ts'
import { checkHeaders, MAX_URL, readWebUrl } from '../core/network/web-url.ts'
import type { Http, HttpResponse } from '../core/ports/http.ts'
import { boolean, integer, number, objectSchema, oneOf, optional, record, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { connects, type Touch, writes } from '../core/tool/touch.ts'

const SECONDS = 30
const MAX_BYTES = 5_000_000
const MAX_SAVED_BYTES = 50_000_000

export default defineTool({
  name: 'web_fetch',
  aliases: ['fetch', 'fetch_url', 'download_url'],
  description:
    'Fetch a URL over http or https. Returns text, JSON and XML up to 5 MB; for other files only size and type, unless saveTo is given.',
  input: objectSchema({
    url: string('http or https URL', { minLength: 1, maxLength: MAX_URL }),
    method: optional(oneOf(['GET', 'POST'], 'Default GET; POST always asks')),
    headers: optional(record(string('Value', { maxLength: 8_000 }), 'Request headers')),
    body: optional(string('Body of a POST', { maxLength: 1_000_000 })),
    format: optional(
      oneOf(['text', 'markdown', 'raw'], 'Default text; markdown: main content of a page; raw: binary as base64'),
    ),
    saveTo: optional(string('Save the body to this file of the workspace instead, up to 50 MB', { minLength: 1 })),
    timeout: optional(number('Seconds, default 30', { minimum: 1, maximum: 600 })),
  }),
  argumentAliases: { url: ['uri', 'link'] },
  output: objectSchema({
    status: integer('HTTP status'),
    headers: record(string('Value'), 'Response headers'),
    body: string('The body as text; empty if it is binary or was saved'),
    url: string('The address that answered, after redirects'),
    size: integer('Bytes of the body'),
    truncated: optional(boolean('True if the body was cut at its limit')),
    savedTo: optional(string('The file')),
  }),
  effect: 'network',
  main: 'url',
  // The tool itself ends a fetch when its time is up, with a result that says what was slow.
  timeout: ({ timeout }) => (timeout ?? SECONDS) + 5,
  touches: ({ url, saveTo }) => [...hostTouch(url), ...(saveTo === undefined ? [] : [writes(saveTo)])],
  prepare({ url, method = 'GET', headers = {}, body, saveTo }, { files }) {
    const read = readWebUrl(url)
    checkHeaders(headers)
    if (method === 'GET' && body !== undefined)
      throw new ToolError('INVALID_ARGUMENTS', 'body: a GET has no body; use method POST. Nothing was sent.')
    const target = saveTo === undefined ? undefined : files.writable(saveTo)
    const text = [`${method} ${read.href}`, ...(body === undefined ? [] : ['', body.slice(0, 2_000)])].join('\n')
    return {
      preview: { kind: 'text', text },
      ...(saveTo !== undefined && { expects: { [saveTo]: target?.current ? files.state(saveTo, 'content') : null } }),
    }
  },
  async execute({ url, method = 'GET', headers = {}, body, format, saveTo, timeout = SECONDS }, { http, files }) {
    const limit = saveTo === undefined ? MAX_BYTES : MAX_SAVED_BYTES
    const request = { url, method, headers, seconds: timeout, limit, ...(body !== undefined && { body }) }
    const response = await http.fetch(request)
    if (saveTo === undefined) return show(response, format, http)
    if (response.isCut) throw new ToolError('TOO_LARGE', `${url} is larger than ${mb(limit)}. Nothing was saved.`)
    files.write(saveTo, response.bytes, { createParents: true })
    const text = `${statusLine(response)}\nSaved ${response.bytes.length} bytes (${response.type || 'no type given'}) to ${saveTo}`
    return answer(text, { ...dataOf(response, ''), savedTo: saveTo })
  },
})

/** A URL that cannot be read names no host; `prepare` refuses it. */
function hostTouch(url: string): readonly Touch[] {
  try {
    return [connects(hostOfUrl(readWebUrl(url)))]
  } catch {
    return []
  }
}

type Format = 'text' | 'markdown' | 'raw' | undefined
interface Fetched {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly url: string
  readonly size: number
  readonly truncated?: boolean
}

async function show(response: HttpResponse, format: Format, http: Http): Promise<Answer<Fetched>> {
  const { bytes, isCut, text, type, url } = response
  if (text === undefined && format === 'raw') {
    const body = Buffer.from(bytes).toString('base64')
    return answer(`${statusLine(response)} [base64]\n\n${body}`, dataOf(response, body))
  }
  if (text === undefined)
    return answer(
      `${statusLine(response)}\n[binary: ${isCut ? 'more than ' : ''}${bytes.length} bytes, ${type || 'no type given'}; use saveTo to keep it]`,
      dataOf(response, ''),
    )
  const isPage = /^(text\/html|application\/xhtml\+xml)$/.test(type)
  const body = format === 'markdown' && isPage ? await http.markdown(text, url) : text
  const cut = isCut ? `\n[cut at ${mb(bytes.length)}: the rest was not read]` : ''
  return answer(`${statusLine(response)}\n\n${body}${cut}`, dataOf(response, body))
}

function dataOf({ status, headers, url, bytes, isCut }: HttpResponse, body: string): Fetched {
  return { status, headers: withoutCookies(headers), body, url, size: bytes.length, ...(isCut && { truncated: true }) }
}

/** Cookies are secrets of a session: only their names are shown. */
function withoutCookies({ 'set-cookie': cookies, ...headers }: HttpResponse['headers']): HttpResponse['headers'] {
  return cookies === undefined
    ? headers
    : { ...headers, 'set-cookie': cookies.replace(/(^|, )([^=;,\s]+)=[^;]*/g, '$1$2=…') }
}

function statusLine({ status, type, url }: HttpResponse): string {
  return `${status} ${url}${type === '' ? '' : ` (${type})`}`
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 100_000) / 10} MB`
}
