// A process that runs a Python tool which starts a program and does not end; it says on stdout which processes those are.
import { writeSync } from 'node:fs'
import { createHost } from '../../src/app/create-host.ts'

const [home = '', workspace = ''] = process.argv.slice(2)
const host = await createHost({ home, workspace, storage: 'memory' })
host.on((event) => {
  if (event.type === 'call-delta') writeSync(1, event.text)
})
await host.call('start')
