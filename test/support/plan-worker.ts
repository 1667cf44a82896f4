// A process that starts or resumes a plan and kills itself after so many events: at once, or so many milliseconds later.
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder = '', workspace = '', plan = '', killAt = '0', delay = '0'] = process.argv.slice(2)
const { openHome, defineTool, objectSchema, string } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href
)) as typeof import('../../src/index.ts')

const file = join(workspace, 'done.txt')
const input = objectSchema({ job: string('Id of the job') })
const look = defineTool({
  name: 'look',
  description: 'Says whether a job is done.',
  input,
  effect: 'read',
  execute: ({ job }) => (existsSync(file) && readFileSync(file, 'utf8').split('\n').includes(job) ? 'done' : 'open'),
})
const append = defineTool({
  name: 'append',
  description: 'Does a job.',
  input,
  effect: 'write',
  approval: false,
  execute({ job }) {
    appendFileSync(file, `${job}\n`)
    return 'appended'
  },
})

/** Looks whether its job is done, does it where not, and says so. */
const model: import('../../src/index.ts').Model = {
  name: 'worker',
  abilities: async () => ({}),
  async *stream({ messages }) {
    const told = messages.findLastIndex(({ role }) => role === 'user')
    const [, job = ''] = /^## Your job: (\S+)$/m.exec(messages[told]?.content ?? '') ?? []
    const results = messages.slice(told).flatMap((one) => (one.role === 'tool' ? [one.content] : []))
    const name = results.length === 0 ? 'look' : results.at(-1) === 'open' ? 'append' : 'task_complete'
    const args = name === 'task_complete' ? { summary: `did ${job}` } : { job }
    const reply = { text: '', calls: [{ name, arguments: args }], finish: 'calls', usage: {}, repairs: [] } as const
    yield { type: 'reply', reply }
  },
}

const home = await openHome({ home: folder, toolFolders: false, tools: [look, append], mode: 'edit' })
let events = 0
home.on(() => {
  if (++events !== Number(killAt)) return
  const kill = () => process.kill(process.pid, 'SIGKILL')
  if (Number(delay) === 0) kill()
  else setTimeout(kill, Number(delay))
})
const jobs = ['a', 'b', 'c'].map((id, index, ids) => ({
  ...{ id, prompt: `Do ${id}.`, tools: ['look', 'append'], ...(index > 0 && { dependsOn: [ids[index - 1]] }) },
  ...(index === 1 && { check: 'grep -x b done.txt' }),
}))
const caller = { model, decision: 'allow', by: 'worker' } as const
const started =
  plan === ''
    ? await home.plans.start({ workspace, plan: { goal: 'All lines.', jobs }, ...caller })
    : await home.plans.act(plan, { action: 'resume', ...caller })
if ('rest' in started) writeSync(1, `${JSON.stringify({ state: (await started.rest).state, events })}\n`)
else writeSync(1, `${JSON.stringify({ code: started.code })}\n`)
await home.close()
