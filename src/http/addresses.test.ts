import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostOfUrl } from '../core/network/web-host.ts'
import { whyNotPublic } from './addresses.ts'
import { whyPrivate } from './http.ts'

describe('whyNotPublic', () => {
  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.9.9.9', '169.254.169.254'],
    ...[
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.1',
      '192.168.0.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
    ],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...[
      '::',
      '::1',
      '::7f00:1',
      '::10.0.0.1',
      '::ffff:127.0.0.1',
      '::ffff:0:127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
    ],
    ...[
      '2002:7f00:1::',
      '2001::1',
      '2001:db8::1',
      '100::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
    ],
    ...['ff02::1', '4000::1', '8000::1', '5f00::1', 'not an address', ''],
  ])('refuses %s', (address) => {
    expect(whyNotPublic(address)).toBeDefined()
  })

  it.each([
    '93.184.216.34',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2606:2800:220:1::1',
    '2a00:1450:4001::5',
  ])('accepts %s', (address) => {
    expect(whyNotPublic(address)).toBeUndefined()
  })
})

/** Addresses of private and local networks. */
const privateAddress = fc
  .tuple(
    fc.constantFrom('10', '127', '192.168', '169.254', '172.20', '100.100', '0'),
    fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }),
  )
  .map(([start, rest]) => [...start.split('.').map(Number), ...rest].slice(0, 4))

/** One number in one of the notations that URLs understand. */
const spell = (value: number, notation: number): string =>
  [`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`, `0X${value.toString(16).toUpperCase()}`][notation] ??
  ''

describe('whyPrivate', () => {
  it('sees a private address behind every spelling that a URL may use', () => {
    const spelling = fc.record({
      parts: privateAddress,
      notations: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
      joined: fc.integer({ min: 1, max: 4 }),
    })
    fc.assert(
      fc.property(spelling, ({ parts, notations, joined }) => {
        const head = parts.slice(0, joined - 1)
        const tail = parts.slice(joined - 1).reduce((sum, part) => sum * 256 + part, 0)
        const text = [...head, tail].map((value, index) => spell(value, notations[index] ?? 0)).join('.')
        const url = URL.parse(`http://${text}/`)
        expect(url && whyPrivate(hostOfUrl(url), [])).toEqual(expect.any(String))
      }),
    )
  })

  it('sees it inside every form of IPv4 in IPv6', () => {
    fc.assert(
      fc.property(privateAddress, fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::'), (parts, prefix) => {
        const url = URL.parse(`http://[${prefix}${parts.join('.')}]/`)
        expect(url && whyPrivate(hostOfUrl(url), [])).toEqual(expect.any(String))
      }),
    )
  })

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost', 'ip6-localhost', 'localhost.localdomain'])(
    'takes %s for this machine',
    (name) => {
      expect(whyPrivate(hostOfUrl(new URL(`http://${name}/`)), [])).toBeDefined()
    },
  )

  it('opens exactly what the settings name', () => {
    const opened = ['127.0.0.1:8080', '[::1]:3000', 'localhost:5000', 'internal.example']
    expect(whyPrivate('127.0.0.1:8080', opened)).toBeUndefined()
    expect(whyPrivate('localhost:8080', opened)).toBeUndefined()
    expect(whyPrivate('127.0.0.1:5000', opened)).toBeUndefined()
    expect(whyPrivate('[::1]:3000', opened)).toBeUndefined()
    for (const closed of ['127.0.0.1', '127.0.0.1:8081', '127.0.0.2:8080', '[::1]:8080', '[::ffff:7f00:1]:8080'])
      expect(whyPrivate(closed, opened), closed).toBeDefined()
  })
})
