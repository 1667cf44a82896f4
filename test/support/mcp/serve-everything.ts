import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { packagedServer } from './open-mcp-home.ts'

/** Starts server-everything over HTTP on a port; ended when the test ends. */
export async function serveEverything(port: number): Promise<ChildProcess> {
  const env = { ...process.env, PORT: String(port) }
  const args = [packagedServer('server-everything'), 'streamableHttp']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await Promise.race([once(child.stderr, 'data'), once(child.stdout, 'data')])
  return child
}
