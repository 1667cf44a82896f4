import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { ApprovalRequest, Event, Host, HostOptions } from '../../../src/index.ts'
import { listen, openTestNetwork } from '../../support/web/test-network.ts'
import { hostWithSettings } from '../../support/web/web-host.ts'

const PUBLIC = '93.184.216.34'
const ALLOW = '[web]\nallow = ["example.com", "*.example.org"]\n'

interface Opened {
  readonly host: Host
  readonly asked: ApprovalRequest[]
}

/** A host that reads example.com without asking; its person answers yes to everything else. */
async function open(listener: RequestListener, options: HostOptions = {}): Promise<Opened> {
  const names = ['example.com', 'www.example.org', 'other.test']
  const network = await openTestNetwork(Object.fromEntries(names.map((name) => [name, [[PUBLIC]]])), listener)
  return openWith({ network, ...options })
}

async function openWith(options: HostOptions): Promise<Opened> {
  const asked: ApprovalRequest[] = []
  const host = await hostWithSettings(ALLOW, {
    approver: {
      async ask(request) {
        asked.push(request)
        return { approved: true }
      },
    },
    ...options,
  })
  return { host, asked }
}

/** A host whose example.com is a server that sends these bytes for every connection. */
async function openRaw(serve: (socket: Socket) => void): Promise<Host> {
  const server = createRawServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => serve(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server on a port has an address with a port.
  const { port } = server.address() as AddressInfo
  const network = { resolve: async () => [PUBLIC], connect: () => connect(port, '127.0.0.1') }
  return (await openWith({ network })).host
}

test('S1.7 GET of a listed host runs at once; another host, and every POST, asks', async () => {
  const { host, asked } = await open((request, response) => {
    response.setHeader('x-seen', request.method ?? '')
    response.end(`${request.method} ${request.url}`)
  })
  const listed = await host.call('web_fetch', { url: 'http://example.com/a?b=1#c' })
  expect(listed).toMatchObject({ ok: true, data: { status: 200, body: 'GET /a?b=1', headers: { 'x-seen': 'GET' } } })
  expect(asked).toEqual([])
  expect((await host.call('web_fetch', { url: 'http://other.test/' })).ok).toBe(true)
  expect((await host.call('web_fetch', { url: 'http://example.com/', method: 'POST', body: 'x' })).ok).toBe(true)
  expect(asked.map(({ rule }) => rule)).toEqual(['effect network', 'ask_web_send'])
})

test.for(['fetch', 'fetch_url', 'download_url'])('%s is web_fetch', async (name) => {
  const { host } = await open((_, response) => response.end('fine'))
  expect((await host.call(name, { url: 'https://example.com/' })).text).toContain('fine')
})

test('a grant for a host covers no POST', async () => {
  const network = await openTestNetwork({ 'other.test': [[PUBLIC]] }, (_, response) => response.end('fine'))
  const asked: ApprovalRequest[] = []
  const { host } = await openWith({
    network,
    approver: {
      async ask(request) {
        asked.push(request)
        return { approved: true, ...(asked.length === 1 && { grant: { scope: 'host' } }) }
      },
    },
  })
  await host.call('web_fetch', { url: 'http://other.test/a' })
  await host.call('web_fetch', { url: 'http://other.test/b' })
  expect(asked).toHaveLength(1)
  await host.call('web_fetch', { url: 'http://other.test/c', method: 'POST', body: 'x' })
  expect(asked).toHaveLength(2)
})

test('redirects are followed to listed hosts; secrets in headers stay with their origin', async () => {
  const seen: [string, string | undefined, string | undefined][] = []
  const { host } = await open((request, response) => {
    seen.push([
      `${request.headers.host}${request.url}`,
      request.headers.authorization,
      request.headers['x-key'] as string,
    ])
    if (request.url === '/') response.writeHead(302, { location: '/here' }).end()
    else if (request.url === '/here') response.writeHead(307, { location: 'http://www.example.org/there' }).end()
    else response.end('arrived')
  })
  const headers = { authorization: 'Bearer abcdefgh12345678', 'X-Key': 'k' }
  const result = await host.call('web_fetch', { url: 'http://example.com/', headers })
  expect(result).toMatchObject({ data: { body: 'arrived', url: 'http://www.example.org/there' } })
  expect(seen).toEqual([
    ['example.com/', headers.authorization, 'k'],
    ['example.com/here', headers.authorization, 'k'],
    ['www.example.org/there', undefined, undefined],
  ])
})

test('a redirect to a host that was not approved is not followed, and the model is told how to go on', async () => {
  const { host, asked } = await open((_, response) =>
    response.writeHead(302, { location: 'http://other.test/x' }).end(),
  )
  const result = await host.call('web_fetch', { url: 'http://example.com/' })
  expect(result).toMatchObject({ code: 'BLOCKED', text: expect.stringContaining('fetch that URL itself') })
  expect(asked).toEqual([])
})

test('a POST becomes a GET without its body after 302, and stays one after 307', async () => {
  const seen: string[] = []
  const { host } = await open((request, response) => {
    request.on('data', (chunk: Buffer) => seen.push(String(chunk)))
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
      const status = { '/302': 302, '/307': 307 }[request.url ?? '']
      if (status) response.writeHead(status, { location: '/end' }).end()
      else response.end('fine')
    })
  })
  const order = { method: 'POST', body: 'sent', headers: { 'content-type': 'text/plain' } }
  await host.call('web_fetch', { url: 'http://example.com/302', ...order })
  await host.call('web_fetch', { url: 'http://example.com/307', ...order })
  expect(seen).toEqual([
    ...['sent', 'POST /302 text/plain', 'GET /end undefined'],
    ...['sent', 'POST /307 text/plain', 'sent', 'POST /end text/plain'],
  ])
})

const METHODS = [
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'sent'],
  [308, 'POST', 'sent'],
] as const

test.for(METHODS)('a POST that is redirected with %s goes on as %s', async ([status, method, body]) => {
  const seen: string[] = []
  const { host } = await open((request, response) => {
    let sent = ''
    request.on('data', (chunk: Buffer) => {
      sent += chunk
    })
    request.on('end', () => {
      if (request.url === '/') return response.writeHead(status, { location: '/end' }).end()
      seen.push(`${request.method} ${sent}`)
      return response.end('fine')
    })
  })
  await host.call('web_fetch', { url: 'http://example.com/', method: 'POST', body: 'sent' })
  expect(seen).toEqual([`${method} ${body}`])
})

test('data of a POST is sent to no other host than the one that was approved, also where that host is listed', async () => {
  const seen: string[] = []
  const { host } = await open((request, response) => {
    seen.push(String(request.headers.host))
    response.writeHead(307, { location: 'http://www.example.org/' }).end()
  })
  const result = await host.call('web_fetch', { url: 'http://example.com/', method: 'POST', body: 'sent' })
  expect(result).toMatchObject({ code: 'BLOCKED', text: expect.stringContaining('http://www.example.org/') })
  expect(seen).toEqual(['example.com'])
})

test('secrets in headers go neither to another port nor to another scheme of the same host', async () => {
  const seen: (string | undefined)[] = []
  const { host } = await open((request, response) => {
    seen.push(request.headers.cookie)
    if ('encrypted' in request.socket) response.end('fine')
    else response.writeHead(302, { location: 'https://example.com/' }).end()
  })
  await host.call('web_fetch', { url: 'http://example.com/', headers: { Cookie: 'a=b' } })
  expect(seen).toEqual(['a=b', undefined])
})

test('a hundred redirects end after ten, and a loop too', async () => {
  let count = 0
  const { host } = await open((_, response) => response.writeHead(302, { location: `/${++count}` }).end())
  const result = await host.call('web_fetch', { url: 'http://example.com/' })
  expect(result).toMatchObject({ code: 'EXECUTION_ERROR', text: expect.stringContaining('more than 10 times') })
  expect(count).toBe(11)
})

test('a chain of redirects that ends in a private address is refused at that point', async () => {
  const { host } = await open((request, response) => {
    const next = { '/': '/1', '/1': 'http://www.example.org/2', '/2': 'http://[::ffff:10.0.0.1]/' }[request.url ?? '']
    response.writeHead(302, { location: next ?? '/' }).end()
  })
  const result = await host.call('web_fetch', { url: 'http://example.com/' })
  expect(result).toMatchObject({ code: 'BLOCKED', text: expect.stringContaining('no_private_address') })
})

test('a 10 GB gzip bomb is cut at 5 MB, and its server is not read to the end', async () => {
  const block = Buffer.alloc(1024 ** 2)
  let made = 0
  const { host } = await open((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
    const source = new Readable({ read: () => void source.push(made++ < 10_240 ? block : null) })
    const packed = source.pipe(createGzip({ level: 1 }))
    packed.pipe(response)
    response.on('close', () => source.destroy())
  })
  const before = process.memoryUsage.rss()
  const result = await host.call('web_fetch', { url: 'http://example.com/' })
  expect(result.text).toContain('[cut at 5 MB: the rest was not read]')
  expect(made).toBeLessThan(1_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 ** 2)
})

const ZEROS = Buffer.alloc(100_000_000)
const BOMBS: readonly (readonly [coding: string, make: () => Buffer])[] = [
  ['deflate', () => deflateSync(ZEROS)],
  ['br', () => brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['zstd', () => zstdCompressSync(ZEROS)],
  ['gzip, gzip', () => gzipSync(gzipSync(ZEROS))],
]

test.for(BOMBS)('a bomb of %s is cut at 5 MB', async ([coding, make]) => {
  const body = make()
  expect(body.length).toBeLessThan(ZEROS.length / 100)
  const { host } = await open((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': coding }).end(body),
  )
  const result = await host.call('web_fetch', { url: 'http://example.com/' })
  expect(result.text).toContain('[cut at 5 MB: the rest was not read]')
})

test('compressions are undone, one over the other too; an unknown or broken one is a clear error', async () => {
  const bodies: Readonly<Record<string, readonly [coding: string, body: Buffer]>> = {
    '/zstd': ['zstd', zstdCompressSync(Buffer.from('plain text'))],
    '/twice': ['gzip, gzip', gzipSync(gzipSync('plain text'))],
    '/unknown': ['rot13', Buffer.from('x')],
    '/broken': ['gzip', Buffer.from('this is no gzip')],
    '/many': ['gzip, gzip, gzip, gzip', Buffer.from('x')],
  }
  const { host } = await open((request, response) => {
    const [coding = '', body] = bodies[request.url ?? ''] ?? []
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': coding }).end(body)
  })
  const fetch = (path: string) => host.call('web_fetch', { url: `http://example.com${path}` })
  expect(await fetch('/zstd')).toMatchObject({ data: { body: 'plain text' } })
  expect(await fetch('/twice')).toMatchObject({ data: { body: 'plain text' } })
  expect((await fetch('/unknown')).text).toContain('compressed as "rot13", which is not known')
  expect((await fetch('/broken')).text).toContain('cannot be decompressed')
  expect((await fetch('/many')).text).toContain('compressed 4 times over')
})

test('a server that trickles a byte at a time ends with the time limit', async () => {
  const host = await openRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 100)
    socket.on('close', () => clearInterval(timer))
  })
  const result = await host.call('web_fetch', { url: 'http://example.com/', timeout: 1 })
  expect(result).toMatchObject({
    code: 'TIMEOUT',
    text: expect.stringContaining('not complete after 1 s'),
    retryable: true,
  })
})

test('a server that accepts and never answers, and one that trickles headers, end with the time limit', async () => {
  const silent = await openRaw(() => undefined)
  expect(await silent.call('web_fetch', { url: 'http://example.com/', timeout: 1 })).toMatchObject({ code: 'TIMEOUT' })
  const slow = await openRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('a: b\r\n'), 100)
    socket.on('close', () => clearInterval(timer))
  })
  expect(await slow.call('web_fetch', { url: 'http://example.com/', timeout: 1 })).toMatchObject({ code: 'TIMEOUT' })
})

const RAW: readonly (readonly [name: string, sent: string, expected: object])[] = [
  [
    'HTTP/1.0 without a length',
    'HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold',
    { ok: true, data: { body: 'old' } },
  ],
  [
    'a Content-Length that is too long',
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort',
    { code: 'EXECUTION_ERROR' },
  ],
  [
    'a Content-Length that is too short',
    'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nlonger',
    { ok: true, data: { body: 'lon' } },
  ],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde',
    { code: 'EXECUTION_ERROR' },
  ],
  [
    'length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    { code: 'EXECUTION_ERROR' },
  ],
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n', { code: 'EXECUTION_ERROR' }],
  ['nothing', '', { code: 'EXECUTION_ERROR' }],
  [
    'endless headers',
    `HTTP/1.1 200 OK\r\n${'a: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(5_000)}`,
    { code: 'EXECUTION_ERROR' },
  ],
]

test.for(RAW)('a server that answers with %s', async ([, sent, expected]) => {
  const host = await openRaw((socket) => socket.end(sent))
  const result = await host.call('web_fetch', { url: 'http://example.com/', timeout: 5 })
  expect(result).toMatchObject(expected)
  if (!result.ok) expect(result.text).toMatch(/^example\.com could not be read: /)
})

test('DNS that changes its answer after the check: the checked address is used', async () => {
  const network = await openTestNetwork({ 'example.com': [[PUBLIC], ['127.0.0.1']] }, (_, response) =>
    response.end('fine'),
  )
  const { host } = await openWith({ network })
  expect((await host.call('web_fetch', { url: 'http://example.com/' })).ok).toBe(true)
  expect(network.lookups).toEqual(['example.com'])
  expect(await host.call('web_fetch', { url: 'http://example.com/' })).toMatchObject({ code: 'BLOCKED' })
  expect(network.connected).toEqual([`${PUBLIC}:80`])
})

test('a name with one public and one private address is refused', async () => {
  const network = await openTestNetwork({ 'example.com': [[PUBLIC, '192.168.0.1']] }, (_, response) =>
    response.end('fine'),
  )
  const { host } = await openWith({ network })
  expect(await host.call('web_fetch', { url: 'http://example.com/' })).toMatchObject({ code: 'BLOCKED' })
  expect(network.connected).toEqual([])
})

test('a certificate for another name is refused', async () => {
  const network = await openTestNetwork({ 'example.com': [[PUBLIC]] }, (_, response) => response.end('fine'))
  const { host } = await openWith({ network: { ...network, resolve: async () => [PUBLIC] } })
  expect(await host.call('web_fetch', { url: 'https://www.example.org/' })).toMatchObject({
    code: 'EXECUTION_ERROR',
    text: expect.stringContaining('certificate'),
  })
})

test('https to a server without TLS is a clear error', async () => {
  const host = await openRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const { text } = await host.call('web_fetch', { url: 'https://example.com/' })
  expect(text).toBe(
    'example.com could not be read: no encrypted connection could be made (wrong version number); if it speaks plain http, use an http:// address.',
  )
})

test("the proxy variables of the person's environment divert nothing", async () => {
  let diverted = 0
  const port = await listen(createServer((_, response) => response.end(`${diverted++}`)))
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  const kept = names.map((name) => [name, process.env[name]] as const)
  onTestFinished(() => {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${port}`
  const { host } = await open((_, response) => response.end('direct'))
  expect((await host.call('web_fetch', { url: 'http://example.com/' })).text).toContain('direct')
  expect((await host.call('web_fetch', { url: 'https://example.com/' })).text).toContain('direct')
  const { text } = await host.call('run_code', { language: 'bash', code: 'echo "[$HTTP_PROXY$https_proxy]"' })
  expect(text).toBe('[]')
  expect(diverted).toBe(0)
})

const TEXTS: readonly (readonly [name: string, type: string, body: Buffer, expected: string])[] = [
  ['the charset of the header', 'text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1'), 'café'],
  [
    'the charset of the page',
    'text/html',
    Buffer.from('<meta charset="windows-1252">caf\xe9', 'latin1'),
    '<meta charset="windows-1252">café',
  ],
  [
    'the charset of an XML document',
    'application/xml',
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', 'latin1'),
    '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>',
  ],
  ['a byte order mark', 'text/plain; charset=iso-8859-1', Buffer.from('\ufeffcafé', 'utf16le'), 'café'],
  ['UTF-8 without any word of it', 'application/json', Buffer.from('{"a":"ü"}'), '{"a":"ü"}'],
  ['a charset that does not exist', 'text/plain; charset=klingon', Buffer.from('ü'), 'ü'],
  ['no type at all', '', Buffer.from('just text'), 'just text'],
  ['a charset in quotes', 'text/plain; charset="ISO-8859-1"', Buffer.from('caf\xe9', 'latin1'), 'café'],
  [
    'the charset of the header before that of the page',
    'text/html; charset=utf-8',
    Buffer.from('<meta charset="windows-1252">café'),
    '<meta charset="windows-1252">café',
  ],
  ['a charset that hides tags from filters', 'text/html; charset=utf-7', Buffer.from('+ADw-b+AD4-'), '+ADw-b+AD4-'],
  ['Japanese', 'text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
  ['bytes that are not valid', 'text/plain; charset=utf-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ['JSON with a type of its own', 'application/problem+json', Buffer.from('{"a": 1}'), '{"a": 1}'],
  ['XML', 'application/rss+xml', Buffer.from('<rss><a/></rss>'), '<rss><a/></rss>'],
]

test.for(TEXTS)('text is decoded by %s', async ([, type, body, expected]) => {
  const { host } = await open((_, response) =>
    response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
  )
  expect(await host.call('web_fetch', { url: 'http://example.com/' })).toMatchObject({ data: { body: expected } })
})

test('S4.1 binary data is described by size and type, whatever the server calls it', async () => {
  const { host } = await open((request, response) =>
    response
      .writeHead(200, { 'content-type': request.url === '/png' ? 'image/png' : 'application/octet-stream' })
      .end(Buffer.from([0x89, 0x50, 0, 1, 2])),
  )
  const image = await host.call('web_fetch', { url: 'http://example.com/png' })
  expect(image.text).toContain('[binary: 5 bytes, image/png; use saveTo to keep it]')
  expect(image).toMatchObject({ data: { body: '', size: 5 } })
  expect((await host.call('web_fetch', { url: 'http://example.com/x' })).text).toContain('[binary: 5 bytes')
  const pdf = await open((_, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 as text'),
  )
  expect((await pdf.host.call('web_fetch', { url: 'http://example.com/', format: 'markdown' })).text).toContain(
    '[binary: 16 bytes, application/pdf; use saveTo to keep it]',
  )
  expect(await host.call('web_fetch', { url: 'http://example.com/x', format: 'raw' })).toMatchObject({
    data: { body: 'iVAAAQI=' },
  })
})

test('saveTo writes a new file at once, asks about an existing one, can be undone, and stays in the workspace', async () => {
  const { host, asked } = await open((_, response) => response.end(Buffer.from([1, 2, 3])))
  const calls: string[] = []
  host.on((event) => event.type === 'call-end' && calls.push(event.call))
  const url = 'http://example.com/'
  expect((await host.call('web_fetch', { url, saveTo: 'a/new.bin' })).ok).toBe(true)
  expect([...readFileSync(join(host.workspace, 'a/new.bin'))]).toEqual([1, 2, 3])
  expect(asked).toEqual([])
  writeFileSync(join(host.workspace, 'old.bin'), 'old')
  expect((await host.call('web_fetch', { url, saveTo: 'old.bin' })).ok).toBe(true)
  expect(asked).toHaveLength(1)
  expect(await host.undo(calls, { decision: 'allow' })).toMatchObject({ ok: true })
  expect(readFileSync(join(host.workspace, 'old.bin'), 'utf8')).toBe('old')
  expect(existsSync(join(host.workspace, 'a/new.bin'))).toBe(false)
  expect(await host.call('web_fetch', { url, saveTo: '../out.bin' })).toMatchObject({ code: 'INVALID_PATH' })
  expect(await host.call('web_fetch', { url, saveTo: '.git/hooks/post-checkout' })).toMatchObject({ ok: false })
  expect(existsSync(join(host.workspace, '.git'))).toBe(false)
})

const COOKIE = 'a-cookie-of-the-server'

test('secrets in headers are masked in the log and in the question; the server gets them', async () => {
  const secret = 'hunter2-hunter2-hunter2'
  let sent: string | undefined
  const { host, asked } = await open((request, response) => {
    sent = request.headers['x-api-key'] as string
    response.setHeader('set-cookie', [`sid=${COOKIE}; Path=/`, `other=${COOKIE}`])
    response.end(`you sent ${sent}`)
  })
  const events: Event[] = []
  host.on((event) => events.push(event))
  const headers = { 'X-Api-Key': secret, Authorization: `Bearer ${secret}`, Cookie: `session=${secret}` }
  await host.call('web_fetch', { url: 'http://other.test/', headers })
  expect(sent).toBe(secret)
  expect(asked).toHaveLength(1)
  expect(JSON.stringify(asked)).not.toContain(secret)
  expect(JSON.stringify(events)).not.toContain(secret)
  expect(JSON.stringify(events)).toContain('sid=…; Path')
  expect(JSON.stringify(events)).not.toContain(COOKIE)
})

test('a cancel closes the connection at once', async () => {
  let closed = false
  const { host } = await open((request, response) => {
    response.write('x')
    request.socket.on('close', () => {
      closed = true
    })
    queueMicrotask(() => stop.abort())
  })
  const stop = new AbortController()
  const result = await host.call('web_fetch', { url: 'http://example.com/' }, { signal: stop.signal })
  expect(result).toMatchObject({ code: 'CANCELLED' })
  await expect.poll(() => closed).toBe(true)
})
