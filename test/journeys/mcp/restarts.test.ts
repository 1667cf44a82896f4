import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { McpState } from '../../../src/core/mcp/listed-server.ts'
import { hostileServer, openMcpHome } from '../../support/mcp/open-mcp-home.ts'
import { findProcesses } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const startsOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0)

test('a server is started once for all workspaces of a home, when it is first needed, and ends with it', async () => {
  const file = join(temporaryFolder(), 'starts')
  const { folder, home, host } = await openMcpHome({ bad: hostileServer('counted', file) })
  expect(await home.mcp.list()).toMatchObject([{ state: 'idle' }])
  expect(startsOf(file)).toBe(0)
  mkdirSync(join(folder, 'other'))
  const other = await home.host(join(folder, 'other'))
  await Promise.all([host.session(), host.session(), other.session(), host.refreshTools(), other.refreshTools()])
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
  expect(await other.call('bad:echo', {})).toMatchObject({ ok: true })
  expect(startsOf(file)).toBe(1)
  expect(findProcesses(file)).toHaveLength(1)
  await home.close()
  expect(findProcesses(file)).toEqual([])
})

test('a server that crashes is started again after a while; its state and its words are shown', async () => {
  const file = join(temporaryFolder(), 'starts')
  const { home } = await openMcpHome({ bad: hostileServer('weak', file) })
  const seen: McpState[] = []
  home.mcp.wake()
  await expect
    .poll(
      async () => {
        const [listed] = await home.mcp.list()
        if (listed && listed.state !== seen.at(-1)) seen.push(listed.state)
        if (listed?.state === 'waiting')
          expect(listed).toMatchObject({
            problem: 'it ended with exit code 4',
            stderr: expect.stringContaining('hostile'),
          })
        return listed?.state
      },
      { interval: 10, timeout: 20_000 },
    )
    .toBe('ready')
  expect(seen).toContain('waiting')
  expect(startsOf(file)).toBe(3)
  const [listed] = await home.mcp.list()
  expect(listed).not.toHaveProperty('problem')
})

test('a call of a server that waits for its restart starts it at once', async () => {
  const file = join(temporaryFolder(), 'starts')
  const { home, host } = await openMcpHome({ bad: hostileServer('counted', file) })
  await host.refreshTools()
  await host.call('bad:die', {})
  await expect.poll(async () => (await home.mcp.list())[0]?.state).toBe('waiting')
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
  expect(startsOf(file)).toBe(2)
})

test('tools that a server is known to have are offered from the first moment, and the first call starts it', async () => {
  const file = join(temporaryFolder(), 'starts')
  const servers = { bad: hostileServer('counted', file) }
  const first = await openMcpHome(servers)
  await first.host.refreshTools()
  await first.home.close()
  const { host } = await openMcpHome(servers, { folder: first.folder })
  expect(host.registry.get('bad:echo')?.name).toBe('bad:echo')
  expect(startsOf(file)).toBe(1)
  expect(await host.call('bad:echo', {})).toMatchObject({ ok: true })
  expect(startsOf(file)).toBe(2)
})

test('a server that ends when it is asked anything before the handshake is asked again in the older way', async () => {
  const { home, host } = await openMcpHome({ old: hostileServer('strict') })
  expect(await home.mcp.test('old')).toMatchObject({ state: 'ready', protocol: '2025-11-25' })
  await host.refreshTools()
  expect(await host.call('old:echo', {})).toMatchObject({ ok: true, text: 'echo' })
})

test('what a server has started ends with it', async () => {
  const marker = join(temporaryFolder(), 'child')
  const [script = ''] = hostileServer().args
  const shell = { command: 'sh', args: ['-c', `node "$0" silent ${marker} & exec node "$0" '' ${marker}`, script] }
  const { home } = await openMcpHome({ bad: shell })
  await home.mcp.test('bad')
  await expect.poll(() => findProcesses(marker).length).toBe(2)
  await home.close()
  expect(findProcesses(marker)).toEqual([])
})
