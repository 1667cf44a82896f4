import type { Connection } from '../ports/http.ts'

/** Every connection is a stream of Node, which can be piped. */
function pipe(from: Connection, to: Connection): void {
  const stream = from as unknown as { pipe(to: unknown): void }
  stream.pipe(to)
}

/** Carries bytes between two connections. The end of one is passed on once all of it was sent; a failure closes both. */
export function joinConnections(one: Connection, other: Connection): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => from.readableEnded || to.destroy())
    pipe(from, to)
  }
}
