import { ToolError } from '../../core/call/result.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { diffDefinitions } from './definition.ts'
import type { ToolChange } from './server-tools.ts'

/** Asks the person whether a tool may be used that is not what they accepted. Throws DENIED unless they say yes; no rule and no grant answers this. */
export async function acceptChange(
  server: string,
  { accepted, now }: ToolChange,
  context: Pick<ToolContext, 'input'>,
): Promise<void> {
  const difference = await diffDefinitions(accepted, now)
  const what = `The MCP server ${server} has changed its tool ${accepted.name} since you accepted it:`
  const question = `${what}\n${difference}\nUse it as it is now?`
  const given = await context.input({ question, options: ['Yes', 'No'] })
  if (given.answered && /^\s*y(es)?\s*$/i.test(given.answer)) return
  const why = given.answered ? 'You did not accept it.' : `Nobody accepted it (${given.reason}).`
  const how = `To look at it and accept it: haft mcp test ${server} --accept`
  throw new ToolError('DENIED', `${what}\n${difference}\n${why} ${how}`)
}
