import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { imagesOf } from '../../../src/core/call/result-images.ts'
import { openMcpHome, packagedServer } from '../../support/mcp/open-mcp-home.ts'

const EVERYTHING = packagedServer('server-everything')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts server-everything over HTTP; returns its address. */
async function serveEverything(): Promise<string> {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port) }
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await Promise.race([once(child.stderr, 'data'), once(child.stdout, 'data')])
  return `http://127.0.0.1:${port}/mcp`
}

for (const kind of ['stdio', 'HTTP'] as const)
  test(`server-everything over ${kind}: text, images and structured content are carried`, async () => {
    const server =
      kind === 'stdio' ? { command: process.execPath, args: [EVERYTHING] } : { url: await serveEverything() }
    const { home, host } = await openMcpHome({ every: server })
    const tested = await home.mcp.test('every')
    expect(tested).toMatchObject({ state: 'ready', protocol: expect.stringMatching(/^202\d-/) })
    await host.refreshTools()
    expect(await host.call('every:echo', { message: 'hello' })).toMatchObject({ ok: true, text: 'Echo: hello' })
    const image = await host.call('every:get-tiny-image', {})
    expect(imagesOf(image)).toMatchObject([{ mediaType: 'image/png' }])
    const structured = await host.call('every:get-structured-content', { location: 'Chicago' })
    expect(structured).toMatchObject({ ok: true, data: { structuredContent: expect.any(Object) } })
    expect(await host.call('every:echo', { message: 3 })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
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
    'The MCP server gone cannot be used: the program "no-such-program" was not found',
  )
  expect(await home.mcp.list()).toEqual([])
})
