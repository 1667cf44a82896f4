import { answer, ToolError } from '../core/call/result.ts'
import { objectSchema, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

/** How long to wait for the task to end, in seconds. */
const PATIENCE = 5

export default defineTool({
  name: 'cancel_background_task',
  description: 'Stop a background task and all programs it runs. Its earlier effects stay.',
  input: objectSchema({ task_id: string('Task id') }),
  effect: 'none',
  control: true,
  main: 'task_id',
  async execute({ task_id }, { tasks, signal }) {
    const report = await tasks.read(task_id)
    if (report === undefined)
      throw new ToolError('FILE_NOT_FOUND', `There is no background task ${JSON.stringify(task_id)}.`)
    if (!(await tasks.cancel(task_id)))
      throw new ToolError('CONFLICT', `The task ${task_id} has already ended (${report.outcome}).`)
    await tasks.wait(task_id, { seconds: PATIENCE, signal })
    const { state = 'ended', outcome } = (await tasks.read(task_id)) ?? {}
    const text = state === 'ended' ? `The task ended: ${outcome}` : 'The task was asked to stop and has not ended yet.'
    return answer(text, { task_id, state, outcome })
  },
})
