import { connect, type Socket } from 'node:net'

/** A request, and how much of its answer marks the end. */
export interface Load {
  readonly port: number
  readonly token: string
  readonly requests: number
}

/** How many connections are kept alive. */
const CONNECTIONS = 32

/** Sends requests for the list of tools over connections that are kept alive, one at a time on each. */
export async function sendRequests({ port, token, requests }: Load): Promise<void> {
  let left = requests
  const request = `GET /api/tools HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      while (left-- > 0) {
        socket.write(request)
        await readAnswer(socket)
      }
      socket.destroy()
    }),
  )
}

function readAnswer(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = ''
    let missing = -1
    const hear = (piece: Buffer) => {
      if (missing < 0) {
        head += piece.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head.slice(0, 100)))
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4)
      } else missing -= piece.length
      if (missing > 0) return
      socket.off('data', hear)
      resolve()
    }
    socket.on('data', hear)
  })
}

/** Opens the stream of all events; resolves once it has caught up. */
export function openStream({ port, token }: Pick<Load, 'port' | 'token'>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    )
    let text = ''
    const hear = (piece: Buffer) => {
      text += piece.toString()
      if (!text.includes('caught-up')) return
      socket.off('data', hear)
      resolve(socket)
    }
    socket.on('data', hear).once('error', reject)
  })
}
