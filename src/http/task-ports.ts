import { createServer, type Server } from 'node:net'
import { ToolError } from '../core/call/result.ts'
import { joinConnections } from '../core/network/join-connections.ts'
import type { TaskPort, TaskPorts } from '../core/network/task-ports.ts'

/** Creates the ports of tasks of one host. They listen on 127.0.0.1 only. */
export function createTaskPorts(isOwnPort: (port: number) => boolean): TaskPorts {
  const open = new Set<TaskPort>()
  return {
    list: (session) => [...open].filter((one) => one.session === session),
    async open(wanted, connect, signal) {
      const server = createServer((socket) => {
        socket.on('error', () => undefined)
        connect(wanted.inside).then(
          (inside) => joinConnections(socket, inside),
          () => socket.destroy(),
        )
      })
      const isFree = wanted.inside >= 1024 && !isOwnPort(wanted.inside)
      const port = (isFree ? await listen(server, wanted.inside) : undefined) ?? (await listen(server, 0))
      if (port === undefined) throw new ToolError('UNAVAILABLE', 'No port of this machine could be opened.')
      const opened = { ...wanted, port }
      const close = () => {
        open.delete(opened)
        server.close()
        server.unref()
      }
      if (signal.aborted) close()
      else open.add(opened)
      signal.addEventListener('abort', close, { once: true })
      return opened
    },
  }
}

/** Resolves to the port, or undefined where it is taken. */
function listen(server: Server, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const failed = () => resolve(undefined)
    server.once('error', failed)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed)
      server.on('error', () => undefined)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : undefined)
    })
  })
}
