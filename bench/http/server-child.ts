import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, 'server-process.ts')

/** What a server has used: microseconds of cpu, bytes of memory. */
export interface Used {
  readonly cpu: number
  readonly rss: number
  readonly heap: number
}

/** A server in a process of its own. */
export interface ServerChild {
  readonly port: number
  readonly token: string
  /** Its home and workspace. */
  readonly folder: string
  used(): Promise<Used>
  stop(): void
}

/** Starts a server. */
export async function startServer(kind: string, bytes = 0): Promise<ServerChild> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-bench-http-'))
  mkdirSync(join(folder, 'workspace'))
  const child = fork(PROGRAM, [kind, folder, String(bytes)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { port, token } = await next<{ port: number; token: string }>(child)
  return {
    ...{ port, token, folder },
    used() {
      const answer = next<Used>(child)
      child.send({})
      return answer
    },
    stop() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.once('exit', fail)
    child.once('message', (message) => {
      child.off('exit', fail)
      resolve(message as T)
    })
  })
}
