import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { HttpError } from '../request/http-error.ts'
import { send, sendRefusal } from '../request/send.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** A name that the build gives to a file with this content only: `/assets/index-BX2f_a1c.js`. */
const HASHED = /^\/assets\/.*-[\w-]{8}\.\w+$/
/** In index.html, the place of the nonce that its style elements need. */
const NONCE = '__NONCE__'

/** Answers requests for files of the page. */
export type ServeFile = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Serves the files that are in a folder now. Only these names are known, so no path leads anywhere else. Pages of the app that are no files get index.html. */
export function createStaticFiles(folder: string): ServeFile {
  const files = listFiles(folder)
  const read = createReader(folder)
  return (incoming, outgoing) => {
    const { url = '/', method } = incoming
    if (method !== 'GET' && method !== 'HEAD')
      return sendRefusal(
        outgoing,
        new HttpError('INVALID_ARGUMENTS', 'Pages can only be read.', { status: 405, headers: { Allow: 'GET, HEAD' } }),
      )
    const path = url.split('?')[0] ?? '/'
    const name = path === '/' ? '/index.html' : path
    if (files.has(name)) return sendFile(outgoing, name, read(name, incoming))
    if (files.has('/index.html') && isPage(path, incoming))
      return sendFile(outgoing, '/index.html', read('/index.html', incoming))
    sendRefusal(outgoing, new HttpError('FILE_NOT_FOUND', 'There is no such page.'))
  }
}

function listFiles(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const inside = (path: string) => path.slice(folder.length).split(sep).join('/')
    return new Set(entries.filter((one) => one.isFile()).map((one) => inside(join(one.parentPath, one.name))))
  } catch {
    return new Set()
  }
}

/** True for an address of the app, such as `/sessions/s_1`, that a browser opens. */
function isPage(path: string, { headers }: IncomingMessage): boolean {
  return extname(path) === '' && (headers.accept ?? '').includes('text/html')
}

/** The bytes of a file, and how they are packed. */
interface FileBytes {
  readonly bytes: Buffer
  readonly isPacked: boolean
}

/** Returns a function that reads a file of the page. Scripts and styles are packed at their first use, for browsers that unpack them. */
function createReader(folder: string): (name: string, incoming: IncomingMessage) => FileBytes | undefined {
  const packed = new Map<string, FileBytes>()
  return (name, { headers }) => {
    const isPacked = PACKED.test(name) && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
    const kept = isPacked ? packed.get(name) : undefined
    if (kept) return kept
    const plain = readFile(join(folder, name))
    if (plain === undefined) return undefined
    const read = { bytes: isPacked ? gzipSync(plain) : plain, isPacked }
    if (isPacked) packed.set(name, read)
    return read
  }
}

/** Files of the build whose content never changes, and that become much smaller. */
const PACKED = /^\/assets\/.*-[\w-]{8}\.(?:js|css)$/

function sendFile(outgoing: ServerResponse, name: string, read: FileBytes | undefined): void {
  if (read === undefined) {
    sendRefusal(outgoing, new HttpError('FILE_NOT_FOUND', 'This page is gone. Build the web app again.'))
    return
  }
  const { bytes, isPacked } = read
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const cache = HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
  const nonce = randomBytes(16).toString('base64')
  const isHtml = extname(name) === '.html'
  send(outgoing, {
    status: 200,
    headers: {
      ...{ 'Content-Type': type, 'Cache-Control': cache, 'Content-Security-Policy': policy(nonce) },
      ...(PACKED.test(name) && { Vary: 'Accept-Encoding' }),
      ...(isPacked && { 'Content-Encoding': 'gzip' }),
    },
    body: isHtml ? bytes.toString('utf8').replaceAll(NONCE, nonce) : bytes,
  })
}

function readFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Scripts and styles only from here; styles also where they carry the nonce, since a library of the page inserts some. */
function policy(nonce: string): string {
  return `default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'nonce-${nonce}'; frame-ancestors 'none'`
}
