import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findServers } from '../../../src/cli/mcp/other-clients.ts'
import { openHome } from '../../../src/index.ts'
import { startTestServer } from '../../support/http/test-server.ts'
import { hostileServer, openMcpHome } from '../../support/mcp/open-mcp-home.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('S3.2 an error in a server of the settings names line, column and key', async () => {
  const home = temporaryFolder()
  const file = join(home, 'settings.toml')
  const cases: readonly [string, string][] = [
    ['[mcp.a]\nargs = ["x"]', '1:2: mcp.a: a server needs a command, or the url of one that runs elsewhere'],
    ['[mcp.a]\ncommand = "x"\nurl = "http://127.0.0.1/"', '3:1: mcp.a.url: a server with a command has no url'],
    ['[mcp.a]\ncomand = "x"', '2:1: mcp.a.comand: unknown key. Did you mean command?'],
    ['[mcp."a b"]\ncommand = "x"', 'the name of a server has 1 to 40 letters, digits, _ and -'],
    ['[mcp.a]\nurl = "x"', '2:1: mcp.a.url: expected an address'],
  ]
  for (const [text, message] of cases) {
    writeFileSync(file, text)
    await expect(openHome({ home })).rejects.toThrow(message)
  }
})

test('servers are added, listed, tried and removed over HTTP; settings.toml stays as it is', async () => {
  const { client, folder } = await startTestServer()
  const given = { name: 'bad', ...hostileServer() }
  expect((await client.addMcpServer(given)).server).toMatchObject({ name: 'bad', state: 'ready', isManaged: true })
  expect(readFileSync(join(folder, 'managed.toml'), 'utf8')).toContain('[mcp.bad]')
  expect((await client.listMcpServers({})).servers).toMatchObject([{ name: 'bad', from: 'managed.toml' }])
  expect((await client.testMcpServer({ name: 'bad' })).server).toMatchObject({ changed: [] })
  await expect(client.addMcpServer(given)).rejects.toThrow('already')
  await expect(client.addMcpServer({ name: 'gone', command: 'no-such-program' })).rejects.toThrow('was not found')
  expect(await client.removeMcpServer({ name: 'bad' })).toEqual({ done: true })
  expect((await client.listMcpServers({})).servers).toEqual([])
  await expect(client.removeMcpServer({ name: 'bad' })).rejects.toThrow('There is no MCP server "bad"')
})

test('a variable that settings name is filled in, and one that is not set is named', async () => {
  const { home } = await openMcpHome({ bad: { ...hostileServer(), env: { KEY: '$' + '{HAFT_TEST_MISSING}' } } })
  await expect(home.mcp.test('bad')).rejects.toThrow(
    'the variable HAFT_TEST_MISSING, which its settings name, is not set',
  )
})

test('the servers of Claude, Cursor, VS Code and Gemini are read, comments included', async () => {
  const home = temporaryFolder()
  const workspace = temporaryFolder()
  const write = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  write(join(home, '.claude.json'), JSON.stringify({ mcpServers: { 'my files': { command: 'npx', args: ['x'] } } }))
  write(join(workspace, '.mcp.json'), '{"mcpServers":{"docs":{"type":"http","url":"https://example.com/mcp"}}}')
  write(join(home, '.cursor/mcp.json'), '{"mcpServers":{"a":{"command":"a","env":{"K":"$\u007benv:TOKEN}"}}}}')
  write(
    join(workspace, '.vscode/mcp.json'),
    '{\n// ours\n"servers":{"v":{"command":"v","env":{"K":"$\u007binput:k}"}},}}',
  )
  write(join(home, '.gemini/settings.json'), '{"mcpServers":{"g":{"httpUrl":"https://example.com/g"}}}')
  const read = async (client: Parameters<typeof findServers>[0]) =>
    (await findServers(client, { workspace, home })).servers
  expect(await read('claude')).toMatchObject([
    { name: 'docs', settings: { url: 'https://example.com/mcp' } },
    { name: 'my-files', settings: { command: 'npx', args: ['x'] } },
  ])
  expect(await read('cursor')).toMatchObject([{ name: 'a', settings: { env: { K: '$\u007bTOKEN}' } } }])
  expect(await read('vscode')).toMatchObject([{ name: 'v', problem: expect.stringContaining('asks for a value') }])
  expect(await read('gemini')).toMatchObject([{ name: 'g', settings: { url: 'https://example.com/g' } }])
})
