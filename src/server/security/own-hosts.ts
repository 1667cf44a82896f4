import { networkInterfaces } from 'node:os'
import type { OwnHosts } from '../request/check-request.ts'

/** The port that a browser leaves out of Host. */
const HTTP_PORT = 80

/** Lists the names that a server answers to, and the origins of its pages: those of this machine for itself, the address it listens on, and that of its reverse proxy. An address for all interfaces stands for each of them. */
export function listOwnHosts(hostname: string, port: number, publicUrl?: string): OwnHosts {
  const names = ['127.0.0.1', 'localhost', '[::1]', ...listAddresses(hostname)]
  const hosts = new Set(names.flatMap((name) => (port === HTTP_PORT ? [name, `${name}:${port}`] : [`${name}:${port}`])))
  if (publicUrl === undefined) return { hosts, publicUrl }
  const { host, port: publicPort } = new URL(publicUrl)
  return { hosts: new Set([...hosts, host, ...(publicPort === '' ? [`${host}:443`] : [])]), publicUrl }
}

function listAddresses(hostname: string): string[] {
  if (isLoopback(hostname)) return []
  if (hostname !== '0.0.0.0' && hostname !== '::') return [bracket(hostname.toLowerCase())]
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one && !one.internal && !one.scopeid ? [bracket(one.address.toLowerCase())] : []))
}

function bracket(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

/** True for the names of this machine for itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
