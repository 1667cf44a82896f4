import { answer } from '../core/call/result.ts'
import { array, objectSchema, oneOf, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

const item = objectSchema(
  {
    text: string('What is to be done', { minLength: 1, maxLength: 500 }),
    state: oneOf(['open', 'active', 'done'], 'At most one is active'),
  },
  'One step',
)

export default defineTool({
  name: 'update_todos',
  description:
    'Replace the to-do list that the user sees. Use it for work of three or more steps, and after each step.',
  input: objectSchema({ items: array(item, 'All steps, in order', { maxItems: 100 }) }),
  effect: 'none',
  control: true,
  execute({ items }, { todos }) {
    todos(items)
    const done = items.filter(({ state }) => state === 'done').length
    return answer(`${done} of ${items.length} done`, { done, total: items.length })
  },
})
