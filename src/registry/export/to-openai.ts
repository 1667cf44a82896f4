import type { JsonSchema } from '../../core/text/json.ts'
import { type ExportedTools, exportTools, type ToolForTarget, type ToolsOf } from './export-tools.ts'

/** A tool as OpenAI's chat completions take it. */
export interface OpenAITool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: { [keyword: string]: unknown }
    readonly strict?: boolean
  }
}

/** How tools are exported to OpenAI. */
export interface OpenAIOptions {
  /** Asks the model to follow the schema exactly. A tool that strict mode cannot express gets `strict: false` and an entry in the report. */
  readonly strict?: boolean
}

/** Exports tools to OpenAI and to servers that speak its protocol. */
export function toOpenAI(source: ToolsOf, { strict = false }: OpenAIOptions = {}): ExportedTools<OpenAITool[]> {
  return strict
    ? exportTools(source, { target: 'openai-strict', fallback: 'openai', write: writeStrict })
    : exportTools(source, { target: 'openai', write: (tools) => tools.map(functionTool) })
}

const writeStrict = (tools: readonly ToolForTarget[]): OpenAITool[] =>
  tools.map((tool) => {
    const made = functionTool(tool)
    return { ...made, function: { ...made.function, strict: tool.refused.length === 0 } }
  })

/** A tool in OpenAI's form, which Ollama takes too. */
export function functionTool({ entry, wireName, schema }: ToolForTarget): OpenAITool {
  const parameters: JsonSchema = schema
  return { type: 'function', function: { name: wireName, description: entry.tool.description, parameters } }
}
