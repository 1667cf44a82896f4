// A process that starts a plan whose only job is held to src/a.js, and is killed as soon as a person is asked.
import { openHome } from '../../src/index.ts'
import { done, jobModel } from './job-model.ts'

const [folder = '', workspace = '', command = ''] = process.argv.slice(2)
const home = await openHome({ home: folder, toolFolders: false })
home.on(({ type }) => {
  if (type === 'approval-request') void home.approvals.list().then(() => process.kill(process.pid, 'SIGKILL'))
})
const model = jobModel(({ turn }) =>
  turn === 0 ? { calls: [{ name: 'shell', arguments: { command } }] } : done('said so'),
)
const plan = { goal: 'x', jobs: [{ id: 'job-a', prompt: 'x', files: ['src/a.js'] }] }
const started = await home.plans.start({ workspace, plan, model, wait: true })
if ('rest' in started) await started.rest
await home.close()
