import { type ExportedTools, exportTools, type ToolsOf } from './export-tools.ts'
import { functionTool } from './to-openai.ts'

/** A tool as Ollama's chat takes it. */
export interface OllamaTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: { [keyword: string]: unknown }
  }
}

/** Exports tools to Ollama. */
export function toOllama(source: ToolsOf): ExportedTools<OllamaTool[]> {
  return exportTools(source, { target: 'ollama', write: (tools) => tools.map(functionTool) })
}
