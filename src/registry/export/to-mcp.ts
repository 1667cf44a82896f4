import type { Loss } from '../../core/schema-targets/target.ts'
import type { JsonSchema } from '../../core/text/json.ts'
import { isBelieved, type RegisteredTool } from '../../core/tool/snapshot.ts'
import { type ExportedTools, exportTools, type ToolsOf } from './export-tools.ts'

/** A tool as MCP's `tools/list` gives it. */
export interface McpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema?: JsonSchema & { readonly type: 'object' }
  readonly annotations: McpAnnotations
}

/** What a client may show of a tool; hints, never a permission. */
export interface McpAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** Exports tools in the form of the Model Context Protocol. */
export function toMcp(source: ToolsOf): ExportedTools<McpTool[]> {
  return exportTools(source, {
    target: 'mcp',
    findOtherLosses: findOutputLoss,
    write: (tools) =>
      tools.map(({ entry, wireName, schema }) => {
        const { tool, output } = entry
        return {
          name: wireName,
          description: tool.description,
          inputSchema: { ...schema, type: 'object' },
          ...(output && isObjectSchema(output) && { outputSchema: output }),
          annotations: annotationsOf(entry),
        }
      }),
  })
}

/** MCP takes only objects as structured output. */
function isObjectSchema(schema: JsonSchema): schema is JsonSchema & { readonly type: 'object' } {
  return schema.type === 'object'
}

function findOutputLoss({ output }: RegisteredTool): readonly Loss[] {
  if (output === undefined || isObjectSchema(output)) return []
  return [
    {
      path: '',
      keyword: 'outputSchema',
      effect: 'note',
      text: 'left out: MCP takes only objects as structured output',
    },
  ]
}

/** A tool whose word is not believed may do anything. */
function annotationsOf({ tool, origin }: RegisteredTool): McpAnnotations {
  const readOnlyHint = isBelieved(origin) && (tool.effect === 'none' || tool.effect === 'read')
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint,
    idempotentHint: readOnlyHint || (isBelieved(origin) && tool.idempotent === true),
    openWorldHint: tool.effect === 'network' || !isBelieved(origin),
  }
}
