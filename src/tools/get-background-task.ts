import { answer, ToolError } from '../core/call/result.ts'
import type { TaskReport } from '../core/call/task.ts'
import { integer, number, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

const MAX_WAIT = 590

export default defineTool({
  name: 'get_background_task',
  description:
    'Say where a background task stands: what it has printed so far and, once it has ended, its result. Can be asked again and again.',
  input: objectSchema({
    task_id: string('The id of the task'),
    wait: optional(number('Seconds to wait for its end, 0 when left out', { minimum: 0, maximum: MAX_WAIT })),
    from: optional(integer('Only what it printed after this place: `next` of the answer before', { minimum: 0 })),
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
  const said = output !== '' && (isPart || !result) ? [output.trimEnd()] : []
  const left = more || !result ? [`[read on with "from": ${next}]`] : []
  return [head, ...said, ...left, ...(result && !more ? [result.text] : [])].join('\n')
}
