import type { Answer } from '../../core/call/result.ts'
import type { JsonSchema } from '../../core/text/json.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { Effect, Tool } from '../../core/tool/tool.ts'
import type { ToolDefinition } from './definition.ts'

/** What a tool needs of its server. */
export interface ToolServer {
  readonly name: string
  /** The command or the address, for people. */
  readonly target: string
  readonly effect: Effect
  /** Seconds that a call may take. */
  readonly timeout: number
  run(tool: string, input: unknown, context: ToolContext): Promise<Answer>
}

/** Makes a tool of a definition. It may do anything, so it asks unless a rule or a grant says otherwise; what the server claims is only shown. */
export function makeTool(definition: ToolDefinition, server: ToolServer): Tool {
  const { name, description, input, output, claims } = definition
  const said = claims ? `\nThe server says: ${claims}. Haft does not rely on it.` : ''
  const preview = { kind: 'text', text: `From the MCP server ${server.name} (${server.target}).${said}` } as const
  return Object.freeze({
    name: `${server.name}:${name}`,
    description,
    input,
    ...(output && { output: outputOf(output) }),
    effect: server.effect,
    approval: () => true,
    timeout: () => server.timeout,
    prepare: () => ({ preview }),
    execute: (given: unknown, context: ToolContext) => server.run(name, given, context),
  })
}

/** The schema of the data of a call, whose member `structuredContent` is what the server describes. Its own address keeps references inside it right. */
function outputOf(schema: JsonSchema): JsonSchema {
  const structuredContent = { $id: 'urn:haft:mcp-output', ...schema }
  return { type: 'object', properties: { structuredContent }, required: ['structuredContent'] }
}
