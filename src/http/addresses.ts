import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Addresses in public ranges that clouds use for their own services. */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16'])

/** All global unicast addresses of IPv6; what lies outside is local, reserved, or IPv4 in another form. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns why an address is not a public one, as the end of a sentence; undefined for a public address. Every form of IPv4 inside IPv6 is refused, whatever it holds. */
export function whyNotPublic(address: string): string | undefined {
  const bare = bareAddress(address)
  if (!ipaddr.isValid(bare)) return 'is not an IP address'
  const parsed = ipaddr.parse(bare)
  const range = parsed.range()
  if (range !== 'unicast') return `is not a public address (${nameRange(range)})`
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return 'is not a public address (reserved)'
  if (CLOUD_ADDRESSES.has(parsed.toString())) return 'is not a public address (a service of the cloud provider)'
  if (isOwnAddress(parsed.toString())) return 'is an address of this machine'
  return undefined
}

/** True for an address of a loopback interface. */
export function isLoopback(address: string): boolean {
  const bare = bareAddress(address)
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback'
}

/** An address in one spelling, without brackets. */
export function plainAddress(address: string): string {
  const bare = bareAddress(address)
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : bare
}

/** Removes the brackets of a URL, and the zone of a link-local address. */
function bareAddress(address: string): string {
  return address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
}

function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return own.some((one) => plainAddress(one.address) === address)
}

/** `carrierGradeNat` → `carrier grade nat`. */
function nameRange(range: string): string {
  return range.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}
