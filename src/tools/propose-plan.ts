import { answer } from '../core/call/result.ts'
import { objectSchema, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'propose_plan',
  description:
    'Show the user a plan and ask for approval before any of it is done. Use it when you plan and when the work is large.',
  input: objectSchema({ plan: string('The plan, as Markdown', { minLength: 1, maxLength: 50_000 }) }),
  effect: 'none',
  control: true,
  leavesPlanMode: true,
  main: 'plan',
  approval: true,
  prepare: ({ plan }) => ({ preview: { kind: 'text', text: plan } }),
  execute: () => answer('The plan was approved. Carry it out.', {}),
})
