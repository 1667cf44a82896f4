import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { type Client, createClient } from '../../../src/client/client.ts'
import { checkingFetch } from './checking-fetch.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')

/** A process that runs `haft serve`. */
export interface ServeProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly link: string
  readonly token: string
  readonly client: Client
  /** Resolves to the exit code; null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Where it works. */
export interface ServeOptions {
  /** Its HAFT_HOME. */
  readonly folder: string
  readonly workspace: string
  /** 0 for any free port. */
  readonly port?: number
}

/** Starts `haft serve` as it is shipped, and waits until it answers. It is ended with the test. */
export async function startServeProcess({ folder, workspace, port = 0 }: ServeOptions): Promise<ServeProcess> {
  const args = [MAIN, 'serve', '--json', '--port', String(port), '--workspace', workspace]
  const env = { PATH: process.env.PATH, TMPDIR: tmpdir(), HOME: join(folder, '../person'), HAFT_HOME: folder, CI: '1' }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  onTestFinished(() => void child.kill('SIGKILL'))
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const { url, link } = JSON.parse(first.value ?? '{}')
  const token = readFileSync(join(folder, 'server-token'), 'utf8').trim()
  return {
    ...{ child, url, link, token },
    client: createClient({ url, token, fetch: checkingFetch }),
    async end(signal) {
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}
