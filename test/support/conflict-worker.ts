// A process that runs a command in the background, says on stdout how it ended, and stays until it is killed.
import { writeSync } from 'node:fs'
import { createHost } from '../../src/app/create-host.ts'

const [home = '', workspace = '', code = ''] = process.argv.slice(2)
const host = await createHost({ home, workspace })
const started = await host.call('run_code', { language: 'bash', code, background: true }, { decision: 'allow' })
const { task_id: id } = (started as { data: { task_id: string } }).data
await host.tasks.wait(id)
const result = (await host.tasks.read(id))?.result
writeSync(1, `${JSON.stringify({ id, code: result?.ok === false ? result.code : 'ok' })}\n`)
setInterval(() => undefined, 60_000)
