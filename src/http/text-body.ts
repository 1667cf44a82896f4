/** Media types that are text although they do not start with text/. */
const TEXT_TYPES =
  /^(text\/.*|application\/(.*\+)?(json|xml|javascript|ecmascript|x-www-form-urlencoded|yaml|x-yaml|toml|x-ndjson|x-sh|sql|graphql|rtf)|application\/(json5|ld\+json|jsonl|x-javascript|manifest\+json)|image\/svg\+xml|multipart\/form-data|message\/.*)$/

/** How far into a page its own charset is looked for, in bytes. */
const SNIFFED = 4096

/** Returns the media type of a Content-Type header: `text/html`. */
export function mediaType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase()
}

/** Returns the text of a body, or undefined for binary data. The charset is that of a byte order mark, the header, or the page itself; else UTF-8. */
export function decodeBody(bytes: Uint8Array, header: string): string | undefined {
  const type = mediaType(header)
  const isText = TEXT_TYPES.test(type)
  if (!isText && type !== '' && type !== 'application/octet-stream' && !/^application\/x-(.*)/.test(type))
    return undefined
  if (!isText && looksBinary(bytes)) return undefined
  const label = markOf(bytes) ?? charsetOf(header) ?? ownCharset(bytes) ?? 'utf-8'
  return decoderFor(label).decode(bytes)
}

function looksBinary(bytes: Uint8Array): boolean {
  if (markOf(bytes) !== undefined) return false
  if (bytes.subarray(0, SNIFFED).includes(0)) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return false
  } catch {
    return true
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return undefined
}

function charsetOf(header: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(header)?.[1]
}

/** The charset that a page or an XML document names itself. */
function ownCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SNIFFED)).toString('latin1')
  const named =
    /<meta[^>]{1,200}charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]{1,200}encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1]
  // A page that can be read as ASCII is not UTF-16, whatever it says.
  return named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('utf-8')
  }
}
