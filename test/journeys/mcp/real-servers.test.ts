import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { imagesOf } from '../../../src/core/call/result-images.ts'
import { openMcpHome, packagedServer } from '../../support/mcp/open-mcp-home.ts'
import { serveEverything } from '../../support/mcp/serve-everything.ts'
import { freePort } from '../../support/model-server/free-port.ts'

const EVERYTHING = packagedServer('server-everything')

for (const kind of ['stdio', 'HTTP'] as const)
  test(`server-everything over ${kind}: text, images and structured content are carried`, async () => {
    const port = await freePort()
    if (kind === 'HTTP') await serveEverything(port)
    const program = { command: process.execPath, args: [EVERYTHING] }
    const server = kind === 'stdio' ? program : { url: `http://127.0.0.1:${port}/mcp` }
    const { home, host } = await openMcpHome({ every: server })
    const tested = await home.mcp.test('every')
    expect(tested).toMatchObject({ state: 'ready', protocol: expect.stringMatching(/^202\d-/) })
    await host.refreshTools()
    expect(await host.call('every:echo', { message: 'hello' })).toMatchObject({ ok: true, text: 'Echo: hello' })
    const image = await host.call('every:get-tiny-image', {})
    expect(imagesOf(image)).toMatchObject([{ mediaType: 'image/png' }])
    const structured = await host.call('every:get-structured-content', { location: 'Chicago' })
    expect(structured).toMatchObject({ ok: true, data: { structuredContent: expect.any(Object) } })
    expect(await host.call('every:echo', { message: {} })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  })

test('server-filesystem: its answers are those of the files', async () => {
  const { home, host, workspace } = await openMcpHome({})
  writeFileSync(join(workspace, 'a.txt'), 'in a file')
  const settings = { command: process.execPath, args: [packagedServer('server-filesystem'), workspace] }
  expect((await home.mcp.add('files', settings)).toolNames).toContain('files:read_text_file')
  await host.refreshTools()
  const path = join(workspace, 'a.txt')
  expect(await host.call('files:read_text_file', { path })).toMatchObject({ ok: true, text: 'in a file' })
  expect(await host.call('files:read_text_file', { path: '/etc/hostname' })).toMatchObject({ ok: false })
  expect(await home.mcp.remove('files')).toBe(true)
  expect(await home.mcp.list()).toEqual([])
})

test('a server that does not answer is not stored', async () => {
  const { home } = await openMcpHome({})
  await expect(home.mcp.add('gone', { command: 'no-such-program' })).rejects.toThrow(
    'The MCP server gone cannot be used: The program no-such-program was not found',
  )
  expect(await home.mcp.list()).toEqual([])
})

test('a remote server that was started anew is connected to again, and the call that noticed it succeeds', async () => {
  const port = await freePort()
  const first = await serveEverything(port)
  const { home, host } = await openMcpHome({ every: { url: `http://127.0.0.1:${port}/mcp` } })
  await host.refreshTools()
  expect(await host.call('every:echo', { message: 'one' })).toMatchObject({ text: 'Echo: one' })
  first.kill('SIGKILL')
  await once(first, 'close')
  const away = await host.call('every:echo', { message: 'two' })
  expect(away).toMatchObject({ ok: false })
  expect(away.text).toContain('The call of the MCP server every failed: fetch failed')
  expect(await home.mcp.list()).toMatchObject([{ state: expect.stringMatching(/waiting|starting/) }])
  const second = await serveEverything(port)
  // A call may still join an attempt that began while nobody listened.
  await expect.poll(async () => (await host.call('every:echo', { message: 'three' })).text).toBe('Echo: three')
  second.kill('SIGKILL')
  await once(second, 'close')
  await serveEverything(port)
  expect(await host.call('every:echo', { message: 'four' })).toMatchObject({ text: 'Echo: four' })
  expect(await home.mcp.list()).toMatchObject([{ state: 'ready' }])
})
