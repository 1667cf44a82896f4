import { answer, ToolError } from '../core/call/result.ts'
import type { TaskReport } from '../core/call/task.ts'
import { integer, number, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

const MAX_WAIT = 590

export default defineTool({
  name: 'get_background_task',
  description:
    'Get the state of a background task: its output so far and, once it ended, its result. Can be called repeatedly.',
  input: objectSchema({
    task_id: string('Task id'),
    wait: optional(number('Seconds to wait for the end, default 0', { minimum: 0, maximum: MAX_WAIT })),
    from: optional(integer('Return only output after this offset: `next` of the previous result', { minimum: 0 })),
  }),
  effect: 'none',
  control: true,
  main: 'task_id',
  timeout: ({ wait = 0 }) => wait + 10,
  async execute({ task_id, wait, from }, { tasks, signal }) {
    if (wait) await tasks.wait(task_id, { seconds: wait, signal })
    const report = await tasks.read(task_id, from)
    if (report === undefined)
      throw new ToolError('FILE_NOT_FOUND', `There is no background task ${JSON.stringify(task_id)}.`)
    const { task: _, ...rest } = report
    return answer(describe(report, from !== undefined), { task_id, ...rest })
  },
})

function describe({ task, tool, state, outcome, output, more, next, result }: TaskReport, isPart: boolean): string {
  const head = `[task ${task}, ${tool}: ${state === 'ended' ? `ended ${outcome}` : state}]`
  const printed = output !== '' && (isPart || !result) ? [output.trimEnd()] : []
  const left = more || !result ? [`[continue with "from": ${next}]`] : []
  return [head, ...printed, ...left, ...(result && !more ? [result.text] : [])].join('\n')
}
