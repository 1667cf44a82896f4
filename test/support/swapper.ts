import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'

/** Swaps `d` between a folder and a link as fast as it can; a folder that a call made in between is moved away. */
const SWAP = `
const { renameSync } = require('node:fs')
const d = process.argv[1]
let made = 0
const rename = (from, to) => { try { renameSync(from, to); return true } catch { return false } }
const put = (from) => { while (!rename(from, d)) rename(d, d + '.made' + made++) }
process.stdout.write('ready')
for (;;) {
  renameSync(d, d + '.folder')
  put(d + '.link')
  renameSync(d, d + '.link')
  put(d + '.folder')
}`

/** A racing process that swaps a folder holding `f` for a link that leads to `target`; killed by `using`. */
export async function startSwapper(folder: string, target: string): Promise<AsyncDisposable> {
  mkdirSync(folder)
  writeFileSync(`${folder}/f`, 'real')
  symlinkSync(target, `${folder}.link`)
  const child: ChildProcess = spawn(process.execPath, ['-e', SWAP, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (child.stdout) await once(child.stdout, 'data')
  return {
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => setImmediate(resolve))
      if (child.exitCode !== null) throw new Error('the racing process ended by itself: nothing was tested')
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
