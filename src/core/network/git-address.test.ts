import { expect, test } from 'vitest'
import { maskCredentials, readGitAddress } from './git-address.ts'

test.for([
  ['https://example.com/a.git', 'https', 'example.com'],
  ['https://user:token@example.com:8443/a.git', 'https', 'example.com:8443'],
  ['ssh://git@example.com:2222/a.git', 'ssh', 'example.com:2222'],
  ['git@github.com:owner/name.git', 'ssh', 'github.com'],
  ['[::1]:a.git', 'ssh', '[::1]'],
  ['/srv/git/a.git', 'folder', ''],
  ['../a:b.git', 'folder', ''],
  ['file:///srv/a.git', 'folder', ''],
] as const)('%s is an address of the kind %s', ([url, kind, host]) => {
  expect(readGitAddress(url)).toMatchObject({ kind, host })
})

test.for([
  'ext::sh -c x',
  'ext::sh',
  'fd::17',
  '-oProxyCommand=x',
  'ssh://-oProxyCommand=x/a',
  '-x:a',
  'ftp://example.com/a',
  'git://example.com/a',
  'https://',
  'https://a b/',
  'file://host/a',
  '',
])('%s is refused', (url) => {
  expect(readGitAddress(url)).toBeUndefined()
})

test('credentials are hidden wherever they stand', () => {
  expect(maskCredentials("unable to access 'https://u:p@x.test/a/': http://t@y.test ssh://u:p@z.test/")).toBe(
    "unable to access 'https://***@x.test/a/': http://***@y.test ssh://u:***@z.test/",
  )
})
