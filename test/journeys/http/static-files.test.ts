import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestServer } from '../../support/http/test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A page as the build makes it. */
function makePage(): string {
  const page = temporaryFolder()
  mkdirSync(join(page, 'assets'))
  writeFileSync(join(page, 'index.html'), '<!doctype html><style nonce="__NONCE__"></style><title>Haft</title>')
  writeFileSync(join(page, 'assets/index-BX2f_a1c.js'), 'export {}\n')
  writeFileSync(join(page, 'assets/plain-component.css'), 'a {}\n')
  writeFileSync(join(page, 'apple-touch-icon.png'), 'png')
  return page
}

test('a file whose name holds a hash of its content is kept for a year, every other one is asked for again', async () => {
  const { url } = await startTestServer({ page: makePage() })
  const cacheOf = async (path: string) => (await fetch(`${url}${path}`)).headers.get('cache-control')
  expect(await cacheOf('/assets/index-BX2f_a1c.js')).toBe('public, max-age=31536000, immutable')
  for (const path of ['/', '/index.html', '/apple-touch-icon.png', '/assets/plain-component.css'])
    expect(await cacheOf(path), path).toBe('no-cache')
  // What is not there must not be remembered either.
  expect(await cacheOf('/assets/index-AAAAAAAA.js')).toBe('no-store')
})

test('files have the type of their name, and pages a policy with a nonce of their own', async () => {
  const { url } = await startTestServer({ page: makePage() })
  const script = await fetch(`${url}/assets/index-BX2f_a1c.js`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('x-content-type-options')).toBe('nosniff')
  const nonces = await Promise.all(
    [1, 2].map(async () => {
      const response = await fetch(`${url}/`)
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? []
      expect(await response.text()).toContain(`nonce="${nonce}"`)
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'nonce-${nonce}'; frame-ancestors 'none'`,
      )
      return nonce
    }),
  )
  expect(nonces[0]).not.toBe(nonces[1])
  expect(nonces[0]?.length).toBeGreaterThanOrEqual(22)
})

test('only files of the page are served: no link out of it, and nothing that came later', async () => {
  const page = makePage()
  const outside = join(temporaryFolder(), 'secret.txt')
  writeFileSync(outside, 'secret')
  symlinkSync(outside, join(page, 'link.txt'))
  const { url } = await startTestServer({ page })
  writeFileSync(join(page, 'later.txt'), 'later')
  for (const path of ['/link.txt', '/later.txt', '/assets', '/assets/']) {
    const response = await fetch(`${url}${path}`)
    expect(response.status, path).toBe(404)
    expect(await response.text()).not.toContain('secret')
  }
})

test('scripts and styles of the build are sent packed to whoever unpacks them, and plain to the others', async () => {
  const { url } = await startTestServer({ page: makePage() })
  const ask = (encoding: string) =>
    fetch(`${url}/assets/index-BX2f_a1c.js`, { headers: { 'accept-encoding': encoding } })
  for (const again of [1, 2]) {
    const packed = await ask('gzip, deflate, br')
    expect(packed.headers.get('content-encoding'), `${again}`).toBe('gzip')
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    expect(await packed.text()).toBe('export {}\n')
  }
  const plain = await ask('identity')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe('export {}\n')
  expect((await fetch(`${url}/`)).headers.get('content-encoding')).toBeNull()
})
