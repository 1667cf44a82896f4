import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMcpHome } from '../../support/mcp/open-mcp-home.ts'

const MODERN = join(import.meta.dirname, '../../support/mcp/modern-server.ts')

test('a server that knows only the protocol of 2026-07-28 is understood', async () => {
  const { home, host } = await openMcpHome({ modern: { command: process.execPath, args: [MODERN] } })
  expect(await home.mcp.test('modern')).toMatchObject({ protocol: '2026-07-28', toolNames: ['modern:shout'] })
  await host.refreshTools()
  expect(await host.call('modern:shout', { text: 'hey' })).toMatchObject({ ok: true, text: 'HEY' })
})
