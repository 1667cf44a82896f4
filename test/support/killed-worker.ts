// A process that applies or undoes changes and kills itself at one of its file operations, which it counts.
import fs, { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [home = '', workspace = '', action = '', given = '', killAt = ''] = process.argv.slice(2)
const { createHost } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href
)) as typeof import('../../src/index.ts')

/** The operations that leave something behind. */
const COUNTED = [
  ...['renameSync', 'linkSync', 'unlinkSync', 'mkdirSync', 'rmdirSync', 'rmSync', 'chmodSync', 'chownSync'],
  ...['symlinkSync', 'openSync', 'writeSync', 'writeFileSync', 'fsyncSync', 'closeSync', 'copyFileSync', 'fchmodSync'],
] as const
let count = 0

function countOperations(): void {
  const operations = fs as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const name of COUNTED) {
    const real = operations[name]
    if (real === undefined) throw new Error(`node:fs has no ${name}`)
    operations[name] = (...args) => {
      if (++count === Number(killAt)) process.kill(process.pid, 'SIGKILL')
      return real.apply(fs, args)
    }
  }
  syncBuiltinESMExports()
}

const host = await createHost({ home, workspace })
countOperations()
if (action === 'undo') await host.undo([given], { decision: 'allow' })
else {
  const background = action === 'background' ? { background: true } : {}
  await host.call('run_code', { language: 'bash', code: given, ...background }, { decision: 'allow' })
  await host.tasks.idle()
}
const operations = count
await host.close()
writeSync(1, `${operations}\n`)
