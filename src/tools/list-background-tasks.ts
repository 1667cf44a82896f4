import { answer } from '../core/call/result.ts'
import type { TaskRecord } from '../core/call/task.ts'
import { objectSchema } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'list_background_tasks',
  description: 'List tasks started with background: true and their state, newest first.',
  input: objectSchema({}),
  effect: 'none',
  control: true,
  async execute(_, { tasks, session }) {
    const found = await tasks.list({ session })
    const text = found.length === 0 ? 'There are no background tasks.' : found.map(describe).join('\n')
    return answer(text, { tasks: found.map(({ task, ...rest }) => ({ task_id: task, ...rest })) })
  },
})

function describe({ task, tool, arguments: args, state, outcome }: TaskRecord): string {
  return `${task}  ${state === 'ended' ? `ended ${outcome}` : state}  ${tool} ${args}`
}
