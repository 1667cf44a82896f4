import { type ChildProcess, spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { packagedServer } from './open-mcp-home.ts'

/** Starts server-everything over HTTP on a port; ended when the test ends. */
export async function serveEverything(port: number): Promise<ChildProcess> {
  const env = { ...process.env, PORT: String(port) }
  const args = [packagedServer('server-everything'), 'streamableHttp']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  // It writes that it starts before it listens.
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    )
  await expect.poll(isThere).toBe(true)
  return child
}
