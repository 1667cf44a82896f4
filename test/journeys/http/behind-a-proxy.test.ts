import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { startServeProcess } from '../../support/http/serve-process.ts'
import { startTestServer, type TestServer } from '../../support/http/test-server.ts'
import { startTlsProxy, type TlsProxy } from '../../support/http/tls-proxy.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openBrowser } from '../../support/web/web-app.ts'

/** A server with a public address, and a proxy there. */
async function startBoth(): Promise<{ readonly server: TestServer; readonly proxy: TlsProxy }> {
  const proxy = await startTlsProxy()
  const server = await startTestServer({ publicUrl: proxy.url })
  proxy.port = server.port
  return { server, proxy }
}

/** The status of a request through the proxy, with exactly these headers. */
function statusOf({ url }: TlsProxy, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const options = {
      host: '127.0.0.1',
      servername: 'localhost',
      port,
      path,
      headers,
      ca: getCACertificates('default'),
    }
    request(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

test('calls, events and a sign-in work through a proxy that ends TLS, whichever Host it sends', async () => {
  const { server, proxy } = await startBoth()
  const code = (await server.client.makeLink()).link
  expect(code.startsWith(`${proxy.url}/#code=`)).toBe(true)
  for (const host of [undefined, `127.0.0.1:${server.port}`]) {
    proxy.host = host
    const withOrigin: typeof fetch = (url, init) =>
      fetch(url, { ...init, headers: { ...init?.headers, origin: proxy.url, 'sec-fetch-site': 'same-origin' } })
    const { link } = await server.client.makeLink()
    const signedIn = await createClient({ url: proxy.url, fetch: withOrigin }).signIn({
      code: link.split('code=')[1] ?? '',
    })
    expect(signedIn).toEqual({ token: server.token })
    const client = createClient({ url: proxy.url, fetch: withOrigin, token: signedIn.token })
    const { session } = await client.createSession({ message: 'list files', model: 'demo' })
    const types: string[] = []
    for await (const { type } of client.events({ session: session.session })) {
      types.push(type)
      if (type === 'run-end') break
    }
    expect(types).toContain('call-end')
  }
  expect(server.faults).toEqual([])
})

test('another Host or Origin is refused through the proxy as without it, whatever was forwarded', async () => {
  const { server, proxy } = await startBoth()
  const { host } = new URL(proxy.url)
  const own = { host, authorization: `Bearer ${server.token}` }
  const status = (more: Record<string, string>) => statusOf(proxy, '/api/health', { ...own, ...more })
  expect(await status({})).toBe(200)
  expect(await status({ origin: proxy.url })).toBe(200)
  expect(await status({ host: 'evil.test', origin: 'https://evil.test' })).toBe(421)
  expect(await status({ host: 'evil.test', 'x-forwarded-host': host, forwarded: `host=${host}` })).toBe(421)
  expect(await status({ origin: 'https://evil.test' })).toBe(403)
  expect(await status({ origin: 'null' })).toBe(403)
  expect(await status({ origin: `http://${host}` })).toBe(403)
  expect(await status({ origin: `${proxy.url}.evil.test` })).toBe(403)
  expect(await status({ origin: `http://127.0.0.1:${server.port}` })).toBe(403)
  expect(await status({ origin: proxy.url, 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
  const plain = await startTestServer()
  proxy.port = plain.port
  expect(await status({ authorization: `Bearer ${plain.token}` })).toBe(421)
})

test('a browser signs in through the proxy by the link that haft serve prints, and shows sessions live', async () => {
  const proxy = await startTlsProxy()
  const folder = temporaryFolder()
  const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
  for (const one of [home, workspace]) mkdirSync(one, { mode: 0o700 })
  writeFileSync(join(home, 'settings.toml'), `[server]\npublic_url = "${proxy.url}"\n`)
  const server = await startServeProcess({ folder: home, workspace })
  proxy.port = Number(new URL(server.url).port)
  expect(server.link.startsWith(`${proxy.url}/#code=`)).toBe(true)
  const context = await (await openBrowser()).newContext({ ignoreHTTPSErrors: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(server.link)
  const { session } = await server.client.createSession({ message: 'list files', model: 'demo' })
  await page.getByText('list files').first().waitFor()
  await page.goto(`${proxy.url}/sessions/${session.session}`)
  await page.getByText('list_directory').first().waitFor()
  expect(await page.evaluate('isSecureContext')).toBe(true)
})

test.each([
  'http://haft.example.com',
  'https://haft.example.com/haft',
  'https://a:b@haft.example.com',
  'haft.example.com',
  'https://haft.example.com?x',
])('%s is refused as a public address, with what is expected', async (given) => {
  const { readServerSettings } = await import('../../../src/app/open/read-server-settings.ts')
  const home = temporaryFolder()
  await expect(readServerSettings(home, { publicUrl: given })).rejects.toThrow(
    'expected an address such as "https://haft.example.com", without a path',
  )
  writeFileSync(join(home, 'settings.toml'), `[server]\npublic_url = "${given}"\n`)
  await expect(readServerSettings(home)).rejects.toThrow('public_url')
})
