// A process that applies or undoes changes and kills itself at one of its file operations, which it counts. It reports what it found at its start, so that one process is both the next start after a kill and the next one to be killed.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fillWorkspace, type KillOrder, type KillReport, listLeftovers, SCRIPT } from './killed-workspace.ts'
import { describeTree } from './trees.ts'

const [home = '', workspace = '', action = ''] = process.argv.slice(2)
const { createHost } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href
)) as typeof import('../../src/index.ts')

/** The operations that leave something behind. */
const COUNTED = [
  ...['renameSync', 'linkSync', 'unlinkSync', 'mkdirSync', 'rmdirSync', 'rmSync', 'chmodSync', 'chownSync'],
  ...['symlinkSync', 'openSync', 'writeSync', 'writeFileSync', 'fsyncSync', 'closeSync', 'copyFileSync', 'fchmodSync'],
] as const
let count = 0
let killAt = 0

function countOperations(): void {
  const operations = fs as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const name of COUNTED) {
    const real = operations[name]
    if (real === undefined) throw new Error(`node:fs has no ${name}`)
    operations[name] = (...args) => {
      if (++count === killAt) process.kill(process.pid, 'SIGKILL')
      return real.apply(fs, args)
    }
  }
  syncBuiltinESMExports()
}

const host = await createHost({ home, workspace })
countOperations()

async function apply(isBackground: boolean): Promise<void> {
  const given = { language: 'bash', code: SCRIPT, ...(isBackground && { background: true }) }
  await host.call('run_code', given, { decision: 'allow' })
  await host.tasks.idle()
}

const findLast = async () => (await host.undoable())[0] ?? ''

async function report(): Promise<void> {
  const operations = count
  killAt = 0
  const found: KillReport = {
    tree: describeTree(workspace),
    last: await findLast(),
    leftovers: listLeftovers(home, workspace),
    operations,
  }
  process.send?.(found)
}

async function makeReady(): Promise<void> {
  fillWorkspace(workspace)
  if (action === 'undo') await apply(false)
}

async function act(at: number): Promise<void> {
  const last = await findLast()
  count = 0
  killAt = at
  if (action === 'undo') await host.undo([last], { decision: 'allow' })
  else await apply(action === 'background')
}

process.on('message', async (order: KillOrder) => {
  if (order.do === 'end') {
    await host.close()
    process.disconnect()
    return
  }
  if (order.do === 'make ready') await makeReady()
  else await act(order.killAt)
  await report()
})
await report()
