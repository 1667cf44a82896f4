import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startGuardedServer } from '../../support/mcp/guarded-server.ts'
import { openMcpHome } from '../../support/mcp/open-mcp-home.ts'

const MODERN = join(import.meta.dirname, '../../support/mcp/modern-server.ts')

test('a server that knows only the protocol of 2026-07-28 is understood', async () => {
  const { home, host } = await openMcpHome({ modern: { command: process.execPath, args: [MODERN] } })
  expect(await home.mcp.test('modern')).toMatchObject({ protocol: '2026-07-28', toolNames: ['modern:shout'] })
  await host.refreshTools()
  expect(await host.call('modern:shout', { text: 'hey' })).toMatchObject({ ok: true, text: 'HEY' })
})

test('a remote server that wants a sign-in gets it from the person; the tokens are private and renewed', async () => {
  const guarded = await startGuardedServer()
  const { folder, home, host } = await openMcpHome({ remote: { url: guarded.url } })
  await expect(home.mcp.test('remote')).rejects.toThrow('wants you to sign in. Run: haft mcp test remote')
  expect(await home.mcp.list()).toMatchObject([{ state: 'sign-in', tools: 0 }])

  const show = (page: URL) => void fetch(page)
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
