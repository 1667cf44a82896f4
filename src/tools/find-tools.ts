import { answer } from '../core/call/result.ts'
import { objectSchema, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'find_tools',
  description:
    'Find further tools by words of their names and descriptions. Those that are found can be called from the next step on.',
  input: objectSchema({ query: string('What the tool should do, in a few words', { minLength: 1, maxLength: 200 }) }),
  effect: 'none',
  control: true,
  main: 'query',
  execute({ query }, { findTools }) {
    const found = findTools(query)
    const lines = found.map(({ name, description }) => `${name}: ${description}`)
    const text = found.length > 0 ? lines.join('\n') : `No tool fits ${JSON.stringify(query)}. Try other words.`
    return answer(text, { tools: found.map(({ name }) => name) })
  },
})
