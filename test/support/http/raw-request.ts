import { connect } from 'node:net'

/** The answer to a request, as it came. */
export interface RawAnswer {
  /** 0 where the connection was refused or closed without an answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request, written to the socket byte for byte. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | Buffer
  readonly version?: string
}

/** Sends text to a port and returns what comes back until the server closes the connection, or has sent a full answer. */
export function sendRaw(port: number, text: string | Buffer, host = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    let received = ''
    const finish = () => {
      socket.destroy()
      resolve(parse(received))
    }
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(text))
    socket.on('data', (piece) => {
      received += piece
      if (isComplete(received)) finish()
    })
    socket.on('error', finish)
    socket.on('close', finish)
  })
}

/** Sends one request. The length of its body is added unless a header says otherwise. */
export function request(
  port: number,
  { method, path, headers, body, version = '1.1' }: RawRequest,
): Promise<RawAnswer> {
  const names = headers.map(([name]) => name.toLowerCase())
  const isMeasured = names.includes('content-length') || names.includes('transfer-encoding')
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined && !isMeasured) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  const head = Buffer.from(`${method} ${path} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return sendRaw(port, Buffer.concat([head, Buffer.from(body ?? '')]))
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n')
  const headers = lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: end < 0 ? '' : text.slice(end + 4),
  }
}

/** True for an answer whose length is known and has come, and for the start of a stream. */
function isComplete(text: string): boolean {
  const { status, headers, body } = parse(text)
  if (status === 0 || status === 100) return false
  if (headers['content-type']?.startsWith('text/event-stream')) return true
  return headers['content-length'] !== undefined && body.length >= Number(headers['content-length'])
}
