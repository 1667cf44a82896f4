import { describe, expect, it } from 'vitest'
import { coversHost, readHost } from './web-host.ts'

describe('readHost', () => {
  it.each([
    ['Example.COM', { host: 'example.com', port: undefined }],
    ['example.com.:8080', { host: 'example.com', port: 8080 }],
    ['*.Example.com', { host: '*.example.com', port: undefined }],
    ['bücher.example', { host: 'xn--bcher-kva.example', port: undefined }],
    ['[0:0::1]:80', { host: '[::1]', port: 80 }],
    ['0x7f.1', { host: '127.0.0.1', port: undefined }],
  ])('reads %s', (text, expected) => {
    expect(readHost(text)).toEqual(expected)
  })

  it.each([
    '',
    '*',
    '*.',
    '*.127.0.0.1',
    'a b',
    'http://example.com',
    'user@example.com',
    'example.com/x',
    'a:0',
    'a:65536',
    'a:b',
    '…',
  ])('refuses %s', (text) => {
    expect(readHost(text)).toBeUndefined()
  })
})

describe('coversHost', () => {
  it.each([
    ['example.com', 'example.com', 'allow', true],
    ['example.com', 'EXAMPLE.com.', 'allow', true],
    ['example.com', 'example.com:443', 'allow', true],
    ['example.com', 'example.com:8080', 'allow', false],
    ['example.com', 'example.com:8080', 'deny', true],
    ['example.com:8080', 'example.com:8080', 'allow', true],
    ['example.com:8080', 'example.com', 'allow', false],
    ['example.com:443', 'example.com', 'allow', true],
    ['*.example.com', 'a.b.example.com', 'allow', true],
    ['*.example.com', 'example.com', 'allow', false],
    ['*.example.com', 'badexample.com', 'allow', false],
    ['*.example.com', 'a.example.com:22', 'allow', false],
    ['bücher.example', 'xn--bcher-kva.example', 'allow', true],
    ['example.com', 'example.com.evil.test', 'deny', false],
  ] as const)('%s over %s for %s: %s', (pattern, host, decision, expected) => {
    expect(coversHost(pattern, host, decision)).toBe(expected)
  })
})
