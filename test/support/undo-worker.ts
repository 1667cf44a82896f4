// A process that undoes a call; its parent kills it in the middle.
import { writeSync } from 'node:fs'
import { createHost } from '../../src/app/create-host.ts'

const [home = '', workspace = '', call = ''] = process.argv.slice(2)
const host = await createHost({ home, workspace })
writeSync(1, 'ready\n')
const result = await host.undo([call], { decision: 'allow' })
writeSync(1, `${JSON.stringify(result)}\n`)
await host.close()
