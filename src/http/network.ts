import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import type { Connection } from '../core/ports/http.ts'

/** The network below the guard: looks names up and opens connections. Tests and programs with a network of their own may give another. */
export interface Network {
  /** Returns the addresses of a name; rejects if it has none. */
  resolve(name: string): Promise<readonly string[]>
  /** Opens a connection to an address that was checked; returns a `Socket` of `node:net`. */
  connect(address: string, port: number): Connection
  /** Further certificates to trust, as PEM. */
  readonly certificates?: readonly string[]
}

/** The network of this machine. The proxy variables of the environment are not used: what is connected to must be what was checked. */
export const SYSTEM_NETWORK: Network = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  connect: (address, port) => connect({ host: address, port }),
}
