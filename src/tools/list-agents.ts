import { answer } from '../core/call/result.ts'
import { objectSchema } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'list_agents',
  description: 'List the agents of this session, newest first, with their state.',
  input: objectSchema({}),
  effect: 'none',
  async execute(_, { agents }) {
    const all = await agents.list()
    const lines = all.map(({ agent, title, state, reason }) => `${agent}  ${reason ?? state}  ${title}`)
    return answer(lines.length > 0 ? lines.join('\n') : 'There are no agents in this session.', { agents: all })
  },
})
