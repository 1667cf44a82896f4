import { answer, ToolError } from '../core/call/result.ts'
import { objectSchema, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

export default defineTool({
  name: 'get_agent',
  description: 'Get the state of an agent of this session and, once it ended, its report.',
  input: objectSchema({ agent: string('Id of the agent') }),
  effect: 'none',
  main: 'agent',
  async execute({ agent }, { agents }) {
    const found = await agents.get(agent)
    if (found === undefined)
      throw new ToolError('FILE_NOT_FOUND', `There is no agent ${JSON.stringify(agent)} in this session.`)
    const { state, reason, summary, title } = found
    const head = `[agent ${agent}, ${reason ?? state}: ${title}]`
    return answer(summary === undefined ? head : `${head}\n${summary}`, found)
  },
})
