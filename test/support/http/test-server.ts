import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RunningServer } from '../../../src/app/serve/http-server.ts'
import { type Client, createClient } from '../../../src/client/client.ts'
import { type Home, type HomeOptions, openHome } from '../../../src/index.ts'
import { listen } from '../../../src/server/start-server.ts'
import { exampleTools } from '../example-tools.ts'
import { type AtEnd, temporaryFolder } from '../temporary-folder.ts'
import { checkingFetch } from './checking-fetch.ts'

/** A real server on a free port, with a home and a workspace of its own. All of it is gone when the test ends. */
export interface TestServer {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly server: RunningServer
  readonly home: Home
  /** Its HAFT_HOME. */
  readonly folder: string
  readonly workspace: string
  readonly client: Client
  /** What went wrong inside the server. */
  readonly faults: readonly unknown[]
}

interface TestServerOptions extends HomeOptions {
  /** Another server uses the same HAFT_HOME. */
  readonly folder?: string
  readonly workspace?: string
  readonly token?: string
  readonly page?: string
  /** The address of a reverse proxy. */
  readonly publicUrl?: string
  /** When it is closed; when the test ends if left out. */
  readonly atEnd?: AtEnd
}

/** Starts a server in this process. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { atEnd = onTestFinished, token, page, publicUrl, ...rest } = options
  const { folder = temporaryFolder(atEnd), workspace = temporaryFolder(atEnd), ...given } = rest
  const listening = await listen({ port: 0 })
  const home = await openHome({
    home: folder,
    tools: await exampleTools(),
    wait: true,
    serverPort: listening.port,
    ...given,
  })
  const faults: unknown[] = []
  const server = listening.serve(home, {
    ...{ folder, workspace, version: 'test', page: page ?? join(import.meta.dirname, '../../../dist/web') },
    ...(token !== undefined && { token }),
    publicUrl,
    onFault: (thrown) => faults.push(thrown),
  })
  atEnd(async () => {
    await server.close()
    await home.close()
  })
  const client = createClient({ url: server.url, token: server.token, fetch: checkingFetch })
  return { url: server.url, port: listening.port, token: server.token, server, home, folder, workspace, client, faults }
}

/** Writes a file that exists, so that writing it asks for approval, and starts a call that waits for that. */
export async function askToWrite({ client, workspace }: Pick<TestServer, 'client' | 'workspace'>, name = 'plan.md') {
  writeFileSync(join(workspace, name), 'old\n')
  const answer = await client.callTool({ name: 'write_file', arguments: { path: name, content: 'new\n' }, workspace })
  if (!('call' in answer) || !answer.approval) throw new Error('expected an approval request')
  return { call: answer.call, approval: answer.approval }
}
