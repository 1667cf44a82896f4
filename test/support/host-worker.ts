// A process that writes files through the pipeline until it is killed; it says on stdout which writes were answered.
import { writeSync } from 'node:fs'
import { createHost } from '../../src/app/create-host.ts'

const [home = '', workspace = '', name = ''] = process.argv.slice(2)
const host = await createHost({ home, workspace })
let made = 0
await write()
writeSync(1, 'ready\n')
await Promise.all(Array.from({ length: 4 }, lane))

async function lane(): Promise<never> {
  for (;;) writeSync(1, `answered ${await write()}\n`)
}

async function write(): Promise<string> {
  const path = `${name}-${made++}.txt`
  const result = await host.call('write_file', { path, content: `${path}\n`.repeat(20_000) }, { decision: 'allow' })
  if (!result.ok) throw new Error(result.text)
  return path
}
