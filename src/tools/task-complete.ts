import { answer } from '../core/call/result.ts'
import { objectSchema, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'task_complete',
  description: 'Report that the task is done. Ends the run: call it once, last.',
  input: objectSchema({ summary: string('What was done, for the user') }),
  effect: 'none',
  control: true,
  main: 'summary',
  endsRun: true,
  execute: ({ summary }) => answer(summary, { summary }),
})
