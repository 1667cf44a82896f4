import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { createCodes } from '../../../src/server/security/codes.ts'
import { createSlowDown } from '../../../src/server/security/slow-down.ts'
import { openTokenFile } from '../../../src/server/security/token.ts'
import { listen } from '../../../src/server/start-server.ts'
import { askToWrite, startTestServer } from '../../support/http/test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const codeOf = (link: string) => new URL(link).hash.replace('#code=', '')

test('the code of a link is exchanged for the token once', async () => {
  const { server, url, token } = await startTestServer()
  const client = createClient({ url })
  const code = codeOf(server.makeLink().link)
  expect(await client.signIn({ code })).toEqual({ token })
  await expect(client.signIn({ code })).rejects.toMatchObject({ status: 401 })
  await expect(client.health()).rejects.toMatchObject({ status: 401 })
})

test('of many pages that send one code at once, one is signed in', async () => {
  const { server, url, token } = await startTestServer()
  const code = codeOf(server.makeLink().link)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      createClient({ url })
        .signIn({ code })
        .catch(({ status }) => status),
    ),
  )
  expect(answers.filter((one) => one !== 401)).toEqual([{ token }])
})

test('a request that is refused does not use up the code', async () => {
  const { server, url, token } = await startTestServer()
  const code = codeOf(server.makeLink().link)
  const body = JSON.stringify({ code })
  const json = { 'Content-Type': 'application/json' }
  const send = async (path: string, headers: Record<string, string>, sent = body) =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: sent })).status
  expect(await send('/api/sign-in', { ...json, Origin: 'http://evil.test' })).toBe(403)
  expect(await send('/api/sign-in', { ...json, 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  expect(await send('/api/sign-in', { 'Content-Type': 'text/plain' })).toBe(415)
  expect(await send('/api/sign-in?code=x', json)).toBe(401)
  expect(await send('/api/sign-in', json, JSON.stringify({ code, token: 'x' }))).toBe(400)
  expect(await send('/api/sign-in', json, JSON.stringify({ code: code.toLowerCase() }))).toBe(401)
  expect(await send('/api/sign-in', json, JSON.stringify({ code: ` ${code}` }))).toBe(401)
  expect(await createClient({ url }).signIn({ code })).toEqual({ token })
})

test('a page that is signed in can make a link for another one', async () => {
  const { client, url, token } = await startTestServer()
  const { link, expiresAt } = await client.makeLink()
  expect(link.startsWith(`${url}/#code=`)).toBe(true)
  expect(expiresAt).toBeGreaterThan(Date.now())
  expect(await createClient({ url }).signIn({ code: codeOf(link) })).toEqual({ token })
})

test('a code is too old after half an hour, and only so many are kept', () => {
  let now = 0
  const codes = createCodes(() => now)
  const { code } = codes.make()
  now = 30 * 60_000 + 1
  expect(codes.use(code)).toBe(false)
  const first = codes.make().code
  const later = Array.from({ length: 20 }, () => codes.make().code)
  expect(codes.use(first)).toBe(false)
  expect(later.every((one) => codes.use(one))).toBe(true)
  expect(later.some((one) => codes.use(one))).toBe(false)
})

test('the token is kept in a file that only its owner can read, and stays the same after a restart', async () => {
  const first = await startTestServer()
  const path = join(first.folder, 'server-token')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8').trim()).toBe(first.token)
  expect(first.token.length).toBeGreaterThanOrEqual(40)
  const second = await startTestServer({ folder: first.folder })
  expect(second.token).toBe(first.token)
})

test('a broken token file stops the start instead of letting everybody in', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'server-token'), '\n')
  expect(() => openTokenFile(folder)).toThrow(/holds no token/)
})

test('a token that a person chooses must be long enough', async () => {
  const { token } = await startTestServer({ token: 'a-token-of-my-own-choice' })
  expect(token).toBe('a-token-of-my-own-choice')
  await expect(startTestServer({ token: 'short' })).rejects.toThrow(/at least 16/)
})

test('wrong tokens wait longer and longer, and the right one never does', async () => {
  const { url, client } = await startTestServer()
  const wrong = createClient({ url, token: 'x'.repeat(43) })
  const guesses = Array.from({ length: 200 }, () => wrong.health().catch(({ status }) => status))
  // While they wait, the right token is answered.
  expect(await client.health()).toMatchObject({ version: 'test' })
  // At most 64 wait at once; the others are turned away.
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401, 429]))
})

test('at most so many guesses wait at once, and all end when the server does', async () => {
  const slow = createSlowDown()
  const waits = Array.from({ length: 70 }, () => slow.wait())
  slow.stop()
  const ended = await Promise.all(waits)
  expect(ended.filter((may) => may)).toHaveLength(64)
})

test('a body that never ends is refused, and its connection closed, without blocking others', {
  timeout: 20_000,
}, async () => {
  const { port, token, client } = await startTestServer()
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  let received = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    received += piece
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => undefined)
  const timer = setInterval(() => socket.write(`10\r\n${'x'.repeat(16)}\r\n`), 1)
  onTestFinished(() => clearInterval(timer))
  expect(await client.health()).toMatchObject({ version: 'test' })
  await ended
  expect(received).toMatch(/^HTTP\/1.1 413/)
})

test('faults are not told to callers, and no answer or fault holds the token', async () => {
  const server = await startTestServer()
  server.home.models.list = () => Promise.reject(new Error(`secret inside ${server.token} at ${server.folder}`))
  const failed = await server.client.listModels().catch((thrown) => thrown)
  expect(failed).toMatchObject({ status: 500, code: 'EXECUTION_ERROR' })
  expect(failed.message).not.toMatch(/secret inside/)
  expect(server.faults).toHaveLength(1)
})

test('the log of a session that was driven over HTTP does not hold the token', async () => {
  const server = await startTestServer()
  const { approval } = await askToWrite(server)
  await server.client.answerApproval({ id: approval.id, approved: false })
  expect(JSON.stringify(await server.home.log.read())).not.toContain(server.token)
})

test('the folder picker names folders only, and nothing inside the folder of Haft', async () => {
  const { client, folder, workspace } = await startTestServer()
  writeFileSync(join(workspace, 'secret.txt'), 'x')
  expect(await client.listFolders({ path: workspace })).toMatchObject({ path: workspace, folders: [], problem: null })
  await expect(client.listFolders({ path: folder })).rejects.toMatchObject({ status: 403 })
  expect(await client.listFolders({ path: '/' })).toMatchObject({
    parent: null,
    problem: expect.stringContaining('root folder'),
  })
  expect((await client.listFolders({ path: join(folder, '..') })).folders).not.toContain(folder.split('/').at(-1))
  expect(existsSync(folder)).toBe(true)
})

test('a wide folder cannot be made a workspace by a request', async () => {
  const { client, folder } = await startTestServer()
  for (const workspace of ['/', join(folder, '..')])
    await expect(client.createSession({ message: 'list files', model: 'demo', workspace })).rejects.toMatchObject({
      status: 400,
    })
})

test('the server listens on 127.0.0.1 unless told otherwise, and answers to the names it listens on', async () => {
  const listening = await listen({ port: 0 })
  onTestFinished(() => listening.close())
  expect(listening).toMatchObject({ hostname: '127.0.0.1', isOpenToAll: false })
  const open = await listen({ port: 0, hostname: '0.0.0.0' })
  onTestFinished(() => open.close())
  expect(open.isOpenToAll).toBe(true)
})

test('no tool may reach the port of the server, also where it is not that of the settings', async () => {
  const { client, port } = await startTestServer()
  for (const command of [`curl http://127.0.0.1:${port}/api/tools`, 'curl http://localhost:4242/'])
    expect(await client.checkTool({ name: 'shell', arguments: { command } })).toMatchObject({ decision: 'deny' })
  expect(
    await client.checkTool({ name: 'shell', arguments: { command: 'curl http://127.0.0.1:9/' } }),
  ).not.toMatchObject({ decision: 'deny' })
})

test('a body that is nested too deeply is refused before it is read', async () => {
  const { url, token, faults } = await startTestServer()
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const response = await fetch(`${url}/api/tools/read_file/call`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: `{"arguments":{"path":${deep}}}`,
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('nested deeper')
  expect(faults).toEqual([])
})
