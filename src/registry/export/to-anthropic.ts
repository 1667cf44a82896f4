import type { JsonSchema } from '../../core/text/json.ts'
import { type ExportedTools, exportTools, type ToolsOf } from './export-tools.ts'

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonSchema & { readonly type: 'object' }
}

/** Exports tools to Anthropic's models. */
export function toAnthropic(source: ToolsOf): ExportedTools<AnthropicTool[]> {
  return exportTools(source, {
    target: 'anthropic',
    write: (tools) =>
      tools.map(({ entry, wireName, schema }) => {
        return { name: wireName, description: entry.tool.description, input_schema: { ...schema, type: 'object' } }
      }),
  })
}
