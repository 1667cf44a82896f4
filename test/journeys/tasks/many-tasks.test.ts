import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exampleHost } from '../../support/example-host.ts'
import { eventually, findProcesses } from '../../support/processes.ts'

const MANY = 200

interface Held {
  readonly descriptors: number
  readonly resources: number
  readonly listeners: number
}

/** What this process holds open: descriptors, handles that keep it alive, and listeners on itself. */
function countHeld(): Held {
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const resources = process.getActiveResourcesInfo().length
  return { descriptors: readdirSync('/proc/self/fd').length, resources, listeners }
}

function isNoMore(now: Held, before: Held): boolean {
  return now.descriptors <= before.descriptors && now.resources <= before.resources && now.listeners <= before.listeners
}

test('S2.5 200 tasks at once, half of them cancelled: all end as they should, and nothing is left behind', async () => {
  const host = await exampleHost()
  const mark = `haft-many-${process.pid}`
  const start = async (command: string): Promise<string> => {
    const result = await host.call('shell', { command, background: true }, { decision: 'allow' })
    return (result as { data: { task_id: string } }).data.task_id
  }
  const warm = await start('echo warm')
  await host.tasks.idle()
  expect((await host.tasks.read(warm))?.outcome).toBe('ok')
  const before = countHeld()

  const ids = await Promise.all(
    Array.from({ length: MANY }, (_, index) =>
      start(index % 2 === 0 ? `echo ${index}` : `echo ${index}; exec -a ${mark} sleep 1000`),
    ),
  )
  expect(new Set(ids).size).toBe(MANY)
  await eventually(() => findProcesses(`${mark} 1000`).length > 0)
  for (const [index, id] of ids.entries()) if (index % 2 === 1) expect(await host.tasks.cancel(id)).toBe(true)
  await host.tasks.idle()

  const reports = await Promise.all(ids.map((id) => host.tasks.read(id)))
  expect(reports.map((report) => report?.state)).toEqual(ids.map(() => 'ended'))
  expect(reports.map((report) => report?.outcome)).toEqual(ids.map((_, i) => (i % 2 === 0 ? 'ok' : 'CANCELLED')))
  for (const [index, report] of reports.entries()) if (index % 2 === 0) expect(report?.output).toBe(`${index}\n`)
  await eventually(() => findProcesses(mark).length === 0)
  await expect.poll(() => isNoMore(countHeld(), before), { timeout: 10_000 }).toBe(true)
}, 120_000)
