import { answer, ToolError } from '../core/call/result.ts'
import { array, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'spawn_agent',
  description:
    'Start an agent with a context of its own for a separate part of the work, and get its report. It sees only the task you write. Calls in one turn run side by side, five at most.',
  input: objectSchema({
    task: string('Everything the agent needs to know: goal, files, what to report', {
      minLength: 1,
      maxLength: 50_000,
    }),
    tools: optional(array(string('Name of a tool of yours'), 'Tools it may use; all of yours when left out')),
    model: optional(string('Name of a model; yours when left out')),
  }),
  effect: 'none',
  mayTakeLong: true,
  main: 'task',
  async execute(order, { agents }) {
    const ended = await agents.run(order)
    const { agent, reason, summary = '', steps } = ended
    if (reason === 'complete' || reason === 'reply') return answer(summary, { agent, reason, steps })
    const text = `The agent ${agent} ended without a report (${reason}).${summary === '' ? '' : ` ${summary}`}`
    throw new ToolError(reason === 'cancelled' ? 'CANCELLED' : 'EXECUTION_ERROR', text, {
      details: { agent, reason, steps },
    })
  },
})
