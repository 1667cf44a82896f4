import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** The most bytes that are held back until the host they name is known. */
const MAX_HELD = 16 * 1024

/** Returns a connection whose first bytes must name the host that was allowed, where they name one: the server name of TLS, or the Host header of HTTP. A server that many hosts share would else lead to all of them. */
export function checkFirstBytes(socket: Socket, host: string, refused: (reason: string) => void): Duplex {
  let held: Buffer | undefined = Buffer.alloc(0)
  const checked = new Duplex({
    read: () => void socket.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (held === undefined) return void socket.write(chunk, done)
      held = Buffer.concat([held, chunk])
      const named = findNamedHost(held)
      if (named === 'more' && held.length < MAX_HELD) return done()
      const first = held
      held = undefined
      const other = typeof named === 'object' ? named.hosts.find((one) => !isSameHost(one, host)) : undefined
      if (other !== undefined) {
        const reason = `A connection that was opened to ${host} asked for ${other.slice(0, 200)} and was closed.`
        refused(reason)
        return done(new Error(reason))
      }
      socket.write(first, done)
    },
    final(done) {
      if (held?.length) socket.write(held)
      socket.end(() => done())
    },
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk: Buffer) => checked.push(chunk) || socket.pause())
  socket.on('end', () => checked.push(null))
  socket.on('error', (error) => checked.destroy(error))
  socket.on('close', () => socket.readableEnded || checked.destroy())
  return checked
}

function isSameHost(named: string, host: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  return plain(named) === plain(host)
}

/** What the first bytes of a connection name: hosts, nothing, or not enough yet. */
type Named = { readonly hosts: readonly string[] } | 'nothing' | 'more'

const HANDSHAKE = 0x16

function findNamedHost(bytes: Buffer): Named {
  if (bytes[0] === HANDSHAKE) return serverName(bytes)
  const text = bytes.toString('latin1')
  const end = text.indexOf('\n')
  if (end < 0) return /^[A-Z]{1,20}( |$)/.test(text) ? 'more' : 'nothing'
  const [, target, version] = /^[A-Z]{1,20} (\S+) HTTP\/(\d\.\d)\r?$/.exec(text.slice(0, end)) ?? []
  if (target === undefined) return 'nothing'
  // HTTP/2 without TLS names its hosts in a form that is not read here.
  if (version === '2.0') return { hosts: ['HTTP/2 without encryption'] }
  if (!/\n\r?\n/.test(text)) return 'more'
  const inTarget = URL.parse(target)?.host
  const named = [...text.matchAll(/\nhost[ \t]*:[ \t]*([^\r\n]*)/gi)].map(([, host = '']) => host.trim())
  return { hosts: inTarget ? [inTarget, ...named] : named }
}

/** Reads the server name of a TLS ClientHello (RFC 8446, RFC 6066). Its message may be split over several records. */
function serverName(bytes: Buffer): Named {
  const parts: Buffer[] = []
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === HANDSHAKE; ) {
    const length = bytes.readUInt16BE(at + 3)
    parts.push(bytes.subarray(at + 5, at + 5 + length))
    at += 5 + length
  }
  const message = Buffer.concat(parts)
  if (message.length < 4) return 'more'
  if (message[0] !== 1) return 'nothing'
  if (message.length < 4 + message.readUIntBE(1, 3)) return 'more'
  try {
    return findExtension(message)
  } catch {
    return 'nothing'
  }
}

function findExtension(message: Buffer): Named {
  // Type and length, version, random; then session id, ciphers and compressions, each after its length.
  let at = 4 + 2 + 32
  at += 1 + message.readUInt8(at)
  at += 2 + message.readUInt16BE(at)
  at += 1 + message.readUInt8(at)
  const end = at + 2 + message.readUInt16BE(at)
  at += 2
  while (at + 4 <= end) {
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)]
    if (type === 0) return { hosts: [message.toString('latin1', at + 9, at + 9 + message.readUInt16BE(at + 7))] }
    at += 4 + length
  }
  return 'nothing'
}
