import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { listen } from '../../support/web/test-network.ts'

/** A built program whose settings open a server on loopback to web_fetch and to commands. */
async function open(): Promise<{ readonly program: BuiltProgram; readonly address: string }> {
  const page =
    '<!doctype html><html><head><title>Tea</title></head><body><h2>Kinds</h2><ul><li>green</li></ul></body></html>'
  const port = await listen(
    createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page)),
  )
  const program = buildProgram()
  mkdirSync(program.home, { recursive: true })
  writeFileSync(
    join(program.home, 'settings.toml'),
    `[web]\nallow = ["127.0.0.1:${port}"]\n[sandbox]\nnetwork = ["127.0.0.1:${port}"]\n`,
  )
  return { program, address: `http://127.0.0.1:${port}/` }
}

test('haft call web_fetch reads a page as Markdown', async () => {
  const { program, address } = await open()
  const { stdout, code } = await haft(program, [
    'call',
    'web_fetch',
    JSON.stringify({ url: address, format: 'markdown' }),
  ])
  expect(stdout).toContain('# Tea')
  expect(stdout).toContain('## Kinds')
  expect(code).toBe(0)
})

test('haft call shell reaches what the settings open, and haft log shows the connection', async () => {
  const { program, address } = await open()
  const { stdout, code } = await haft(program, [
    'call',
    'shell',
    JSON.stringify({ command: `curl -sS ${address}` }),
    '--yes',
    '--json',
  ])
  expect(stdout).toContain('<title>Tea</title>')
  expect(code).toBe(0)
  const [call] = JSON.parse((await haft(program, ['log', '--json'])).stdout).calls
  expect((await haft(program, ['log', call.call])).stdout).toContain(`connected: ${address.slice(7, -1)}`)
})

test('haft call web_search without a service says how to set one up', async () => {
  const { program } = await open()
  const { stdout, stderr, code } = await haft(program, ['call', 'web_search', '{"query":"x"}'])
  expect(`${stdout}${stderr}`).toContain('search = "searxng:')
  expect(code).toBe(1)
})
