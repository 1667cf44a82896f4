import type { Socket } from 'node:net'
import { messageOf, ToolError } from '../core/call/result.ts'
import { isAddress, isLocalName, showHost } from '../core/network/web-host.ts'
import { plainAddress, whyNotPublic } from './addresses.ts'
import type { Network } from './network.ts'

/** A host and port to connect to. */
export interface Target {
  /** As URLs write it, an IPv6 address in brackets. */
  readonly host: string
  readonly port: number
}

/** Which addresses may be connected to. */
export interface ConnectOptions {
  readonly network: Network
  /** True for an address and port that is open although it is not public. */
  isOpened(address: string, port: number): boolean
  /** True for a port of Haft's own server. */
  isOwnPort(port: number): boolean
  readonly signal: AbortSignal
}

/** The time that one address gets to accept a connection, in milliseconds. */
const CONNECT_TIME = 10_000

/** Looks a host up once, checks every address, and connects to one of those that were checked. Rejects with ToolError. */
export async function connectChecked(target: Target, options: ConnectOptions): Promise<Socket> {
  const addresses = await findAddresses(target, options)
  let last: unknown
  for (const address of addresses) {
    try {
      return await connectTo(address, target.port, options)
    } catch (thrown) {
      if (options.signal.aborted) throw thrown
      last = thrown
    }
  }
  throw notConnected(target, last)
}

/** Returns the checked addresses of a target. A name of which one address is refused is refused. */
async function findAddresses(target: Target, options: ConnectOptions): Promise<readonly string[]> {
  const { host, port } = target
  const literal = isLocalName(host) ? '127.0.0.1' : isAddress(host) ? plainAddress(host) : undefined
  if (literal !== undefined) {
    checkAddress(target, literal, options)
    return [literal]
  }
  const addresses = [...new Set((await resolveName(host, options)).map(plainAddress))]
  for (const address of addresses) {
    const why = whyNotPublic(address)
    if (why !== undefined)
      throw refused(`${showHost(host, port)} leads to ${address}, which ${why}`, { host, port, address })
  }
  return addresses
}

/** An address that a person wrote down may be opened; a name never leads to one that is not public. */
function checkAddress({ host, port }: Target, address: string, { isOpened, isOwnPort }: ConnectOptions): void {
  const why = whyNotPublic(address)
  if (why === undefined) return
  if (isOwnPort(port)) throw refused(`${host}:${port} is the server of Haft, which only people may use`, { host, port })
  if (!isOpened(address, port)) throw refused(`${showHost(host, port)} ${why}`, { host, port, address })
}

function refused(text: string, details: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError('BLOCKED', `${text} (refused by the network guard). Nothing was sent.`, { details })
}

async function resolveName(host: string, { network, signal }: ConnectOptions): Promise<readonly string[]> {
  const addresses = await untilAborted(network.resolve(host), signal).catch((thrown: unknown) => {
    if (signal.aborted) throw thrown
    throw notFound(host, thrown)
  })
  if (addresses.length === 0) throw notFound(host, undefined)
  return addresses
}

function notFound(host: string, thrown: unknown): ToolError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (thrown === undefined || code === 'ENOTFOUND' || code === 'ENODATA')
    return new ToolError('INVALID_ARGUMENTS', `There is no host ${host}: its name has no address. Nothing was sent.`, {
      details: { host },
    })
  const text = `The name ${host} could not be looked up: ${messageOf(thrown)}. Nothing was sent.`
  return new ToolError('UNAVAILABLE', text, { details: { host }, retryable: true })
}

function connectTo(address: string, port: number, { network, signal }: ConnectOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = network.connect(address, port) as Socket
    const timer = setTimeout(() => socket.destroy(new Error('it did not answer in time')), CONNECT_TIME)
    const onAbort = () => socket.destroy(new Error('the call was ended'))
    signal.addEventListener('abort', onAbort, { once: true })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off('error', onError)
    }
    const onError = (error: Error) => {
      settle()
      reject(error)
    }
    socket.once('error', onError)
    socket.once('connect', () => {
      settle()
      // Whoever uses the socket adds a listener of its own; until then an error must not end the process.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

function notConnected({ host, port }: Target, thrown: unknown): ToolError {
  const text = `${host}:${port} could not be reached: ${messageOf(thrown)}.`
  return new ToolError('EXECUTION_ERROR', text, { details: { host, port }, retryable: true })
}

/** Rejects when the signal aborts, also while the work goes on. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
