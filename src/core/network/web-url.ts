import { ToolError } from '../call/result.ts'

/** The longest URL. */
export const MAX_URL = 8_000

/** Reads a URL that may be fetched. Throws INVALID_ARGUMENTS with what is wrong. */
export function readWebUrl(text: string): URL {
  if (text.length > MAX_URL) throw invalid(`it has ${text.length} characters, and at most ${MAX_URL} are allowed`)
  const url = URL.parse(text)
  if (url === null) throw invalid('it is not a valid URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(`only http and https are allowed, not ${url.protocol.slice(0, 40)}`)
  if (url.username !== '' || url.password !== '')
    throw invalid('it holds a user name or password; send them in an Authorization header instead')
  if (url.hostname.length > 255) throw invalid('the name of its host is too long')
  return url
}

function invalid(why: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `url: ${why}. Nothing was sent.`)
}

/** Headers that the connection itself sets. */
const OWN_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|http2-settings|proxy-.*|sec-.*|:.*)$/i

/** Checks headers that a caller gives. Throws INVALID_ARGUMENTS. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const shown = JSON.stringify(name.slice(0, 100))
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name)) throw invalidHeader(`${shown} is not the name of a header`)
    if (OWN_HEADERS.test(name)) throw invalidHeader(`${shown} is set by the connection itself; leave it out`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not hold
    if (/[\0-\x08\n-\x1f\x7f]|[^\0-\xff]/.test(value))
      throw invalidHeader(`the value of ${shown} holds a line break, control character or character outside Latin-1`)
  }
}

function invalidHeader(why: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `headers: ${why}. Nothing was sent.`)
}

/** True for an address that a browser may be given: https, or http on this machine. Anything else may start another program. */
export function isSafePage(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}
