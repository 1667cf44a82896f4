// A process in which many wait: for approvals, for the end of a task, for events. It prints how many statements it ran in three idle
// seconds, then a line for each call that has ended.
import { queryCount } from './count-queries.ts'

const { createHost } = await import('../../src/index.ts')
const { exampleTools } = await import('./example-tools.ts')

const [home = '', workspace = '', waiting = '0'] = process.argv.slice(2)
const host = await createHost({ home, workspace, wait: true, tools: await exampleTools() })
const task = await host.call('write_note', { path: 'task.txt', text: 'hi', background: true })
const calls = Array.from({ length: Number(waiting) }, (_, i) =>
  host.call('write_note', { path: `${i}.txt`, text: 'hi' }),
)
const tasks = await host.tasks.list()
for (const { task } of tasks) host.tasks.wait(task)
const followers = Array.from({ length: Number(waiting) }, () => host.log.follow())
for (const follower of followers) follower.next()

const stop = host.on(({ type }) => {
  if (type === 'approval-request') asked()
})
let requests = (await host.approvals.list()).length
const { promise, resolve } = Promise.withResolvers<void>()
function asked(): void {
  if (++requests >= Number(waiting)) resolve()
}
if (requests >= Number(waiting)) resolve()
await promise
stop()
// What was asked last is committed and read by its followers before counting begins.
await new Promise((done) => setTimeout(done, 500))
const before = queryCount()
await new Promise((done) => setTimeout(done, 3_000))
process.stdout.write(`${JSON.stringify({ queries: queryCount() - before, tasks: tasks.length, ok: task.ok })}\n`)
for (const call of calls) {
  const result = await call
  process.stdout.write(`${result.ok ? 'ok' : result.code}\n`)
}
process.exit(0)
