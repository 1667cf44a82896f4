import type { Listen, ListeningServer } from '../../app/serve/http-server.ts'
import { messageOf } from '../../core/call/result.ts'

/** How many ports after the wanted one are tried. */
const TRIES = 20

/** A server on the wanted port or one after it, and what the person is told about that. */
export interface FoundPort {
  readonly server: ListeningServer
  readonly note?: string
}

/** Takes the wanted port, or the next one that is free. Rejects where none is. */
export async function findFreePort(
  listen: Listen,
  { hostname, port: wanted }: { readonly hostname: string; readonly port: number },
): Promise<FoundPort> {
  for (let port = wanted; port <= wanted + TRIES; port++) {
    try {
      const server = await listen({ hostname, port })
      return port === wanted ? { server } : { server, note: `Port ${wanted} is in use, so this is port ${port}.` }
    } catch (thrown) {
      if (!isInUse(thrown)) throw new Error(`cannot listen on ${hostname}:${port}: ${messageOf(thrown)}`)
    }
  }
  throw new Error(`the ports ${wanted} to ${wanted + TRIES} are all in use; choose another with --port`)
}

function isInUse(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE'
}
