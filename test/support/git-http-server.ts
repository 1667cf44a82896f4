import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { runGit } from './web/registries.ts'

/** A real git server over HTTP on this machine: git's own program behind a password. Returns host and port. */
export async function serveGit(root: string, account: string): Promise<string> {
  const expected = `Basic ${Buffer.from(account).toString('base64')}`
  const server = createServer((request, response) => {
    if (request.headers.authorization === expected) runGit(root, request, response)
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
