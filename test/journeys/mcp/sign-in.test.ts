import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGuardedServer } from '../../support/mcp/guarded-server.ts'
import { openMcpHome } from '../../support/mcp/open-mcp-home.ts'

/** The browser of a person who agrees. */
const show = (page: URL) => void fetch(page)

test('a remote server that wants a sign-in gets it from the person; the tokens are private and renewed', async () => {
  const guarded = await startGuardedServer()
  const { folder, home, host } = await openMcpHome({ remote: { url: guarded.url } })
  await expect(home.mcp.test('remote')).rejects.toThrow('wants you to sign in. Run: haft mcp test remote')
  expect(await home.mcp.list()).toMatchObject([{ state: 'sign-in', tools: 0 }])

  expect(await home.mcp.test('remote', { show })).toMatchObject({ state: 'ready' })
  await host.refreshTools()
  expect(await host.call('remote:shout', { text: 'hey' })).toMatchObject({ ok: true, text: 'HEY' })
  expect(guarded.asked).toEqual(['authorization_code'])
  const kept = join(folder, 'home/mcp-sign-ins.json')
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  expect(readFileSync(kept, 'utf8')).toContain('token-1')

  guarded.expire()
  expect(await host.call('remote:shout', { text: 'again' })).toMatchObject({ ok: true, text: 'AGAIN' })
  expect(guarded.asked).toEqual(['authorization_code', 'refresh_token'])
})

test('the sign-in is bound to the server that gives tokens: what the MCP server says later sends them nowhere else', async () => {
  const warn = vi.spyOn(console, 'warn')
  onTestFinished(() => warn.mockRestore())
  const [guarded, thief] = [await startGuardedServer(), await startGuardedServer()]
  const { folder, home, host } = await openMcpHome({ remote: { url: guarded.url } })
  await home.mcp.test('remote', { show })
  expect(warn).not.toHaveBeenCalled()
  const kept = JSON.parse(readFileSync(join(folder, 'home/mcp-sign-ins.json'), 'utf8'))
  const issuer = new URL(guarded.url).origin
  expect(kept.remote).toMatchObject({ discovery: { authorizationServerMetadata: { issuer } }, tokens: { issuer } })
  guarded.nameOther(new URL(thief.url).origin)
  guarded.expire()
  await host.refreshTools()
  expect(await host.call('remote:shout', { text: 'hey' })).toMatchObject({ ok: true, text: 'HEY' })
  expect(guarded.asked).toEqual(['authorization_code', 'refresh_token'])
  expect(thief.asked).toEqual([])
})

test.for(['file:///tmp/evil.desktop', 'vscode://x/y', 'http://192.0.2.1/sign-in', 'mailto:a@example.com'])(
  'a sign-in page at %s is not shown, and the reason is said',
  async (page) => {
    const guarded = await startGuardedServer({ page })
    const { home } = await openMcpHome({ remote: { url: guarded.url } })
    const shown: URL[] = []
    const tested = home.mcp.test('remote', { show: (page) => void shown.push(page) })
    await expect(tested).rejects.toThrow(/Haft opens only https:, or http: on this machine/)
    expect(shown).toEqual([])
  },
)

test('a call that wants more rights says so; the next sign-in asks for them', async () => {
  const guarded = await startGuardedServer()
  const { home, host } = await openMcpHome({ remote: { url: guarded.url } })
  await home.mcp.test('remote', { show })
  await host.refreshTools()
  guarded.want('write')
  const refused = await host.call('remote:shout', { text: 'hey' })
  expect(refused).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
  expect(refused.text).toContain('wants you to sign in. Run: haft mcp test remote')
  await home.mcp.test('remote', { show })
  expect(guarded.scopes.at(-1)?.split(' ')).toContain('write')
  expect(await host.call('remote:shout', { text: 'hey' })).toMatchObject({ ok: true, text: 'HEY' })
  await home.mcp.test('remote', { show })
  expect(guarded.scopes).toHaveLength(2)
})

test('a sign-in that the person refuses leaves the earlier one as it was', async () => {
  const guarded = await startGuardedServer()
  const { folder, home, host } = await openMcpHome({ remote: { url: guarded.url } })
  await home.mcp.test('remote', { show })
  await host.refreshTools()
  guarded.want('write')
  await host.call('remote:shout', { text: 'hey' })
  guarded.refuse()
  await expect(home.mcp.test('remote', { show })).rejects.toThrow('the server refused the sign-in: access_denied')
  expect(readFileSync(join(folder, 'home/mcp-sign-ins.json'), 'utf8')).toContain('token-1')
})

test('secrets in headers and in the address of a server are masked in the log, for models and in every list', async () => {
  const guarded = await startGuardedServer()
  const url = `${guarded.url}?api_key=query-77-secret`
  const { home, host } = await openMcpHome({ remote: { url, headers: { 'X-API-Key': 'header-77-secret' } } })
  await home.mcp.test('remote', { show })
  await host.refreshTools()
  const session = await host.session()
  expect(await session.call('remote:shout', { text: 'header-77-secret query-77-secret' })).toMatchObject({ ok: true })
  const shown = JSON.stringify([await session.events(), await home.mcp.list(), home.settings()])
  expect(shown).not.toMatch(/(header|query)-77-secret/)
  expect(shown).toContain('[masked')
})

test('a server that registers nobody takes the registration of the settings, whose secret is masked', async () => {
  const guarded = await startGuardedServer({ client: { id: 'app-7', secret: 'hunter-22-secret' } })
  process.env.HAFT_TEST_SECRET = 'hunter-22-secret'
  onTestFinished(() => void delete process.env.HAFT_TEST_SECRET)
  const without = await openMcpHome({ remote: { url: guarded.url } })
  await expect(without.home.mcp.test('remote', { show })).rejects.toThrow('dynamic client registration')
  const oauth = { client_id: 'app-7', client_secret: `$\u007bHAFT_TEST_SECRET}` }
  const { home, host } = await openMcpHome({ remote: { url: guarded.url, oauth } })
  expect(await home.mcp.test('remote', { show })).toMatchObject({ state: 'ready' })
  await host.refreshTools()
  const session = await host.session()
  expect(await session.call('remote:shout', { text: 'hunter-22-secret' })).toMatchObject({ ok: true })
  expect(JSON.stringify(await session.events())).not.toContain('hunter-22-secret')
})

test('an answer of a browser that was not sent by Haft is not taken, and tokens are sent to no other address', async () => {
  const [guarded, moved] = [await startGuardedServer(), await startGuardedServer()]
  const { folder, home } = await openMcpHome({ remote: { url: guarded.url } })
  const forged: number[] = []
  const beside = async (page: URL) => {
    const back = new URL(page.searchParams.get('redirect_uri') ?? '')
    forged.push((await fetch(`${back.href}?code=stolen&state=guessed`)).status)
    await fetch(page)
  }
  await home.mcp.test('remote', { show: (page) => void beside(page) })
  expect(forged).toEqual([404])
  await home.close()
  const { home: later } = await openMcpHome({ remote: { url: moved.url } }, { folder })
  await expect(later.mcp.test('remote')).rejects.toThrow('wants you to sign in')
  expect(moved.asked).toEqual([])
})
