import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { exampleHost } from '../../support/example-host.ts'

test('S3.6 list_processes finds a process by its command, with memory, start and secrets masked, without asking', async () => {
  const child = spawn('sleep', ['600'], { argv0: 'haft-test-sleeper --token s3cr3tvalue' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve) => child.once('spawn', resolve))
  const host = await exampleHost()
  const found = async () => {
    const result = await host.call('list_processes', { filter: 'haft-test-sleeper' })
    return result.ok ? result : undefined
  }
  await expect.poll(async () => (await found())?.text).toContain('haft-test-sleeper')
  const result = await found()
  expect(result?.data).toMatchObject({
    processes: [{ pid: child.pid, parent: process.pid, name: 'sleep', command: 'haft-test-sleeper --token *** 600' }],
  })
  const { processes = [] } = (result?.data ?? {}) as { processes?: { started: string; memory: number }[] }
  const [one] = processes
  expect(Math.abs(Date.parse(one?.started ?? '') - Date.now())).toBeLessThan(60_000)
  expect(one?.memory).toBeGreaterThan(0)
  expect(JSON.stringify(result)).not.toContain('s3cr3tvalue')
  expect(await host.call('list_processes', { filter: 'no such process anywhere' })).toMatchObject({
    data: { processes: [] },
  })
})
