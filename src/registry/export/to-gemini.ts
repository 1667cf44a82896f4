import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { type ExportedTools, exportTools, type ToolsOf } from './export-tools.ts'

/** A function as the Gemini API takes it; without `parameters` it takes none. */
export interface GeminiFunction {
  readonly name: string
  readonly description: string
  readonly parameters?: JsonSchema
}

/** Tools as the Gemini API takes them: all functions in one entry. */
export interface GeminiTool {
  readonly functionDeclarations: readonly GeminiFunction[]
}

/** Exports tools to Google's models. */
export function toGemini(source: ToolsOf): ExportedTools<GeminiTool[]> {
  return exportTools(source, {
    target: 'gemini',
    write: (tools) => [
      {
        functionDeclarations: tools.map(({ entry, wireName, schema }) => {
          const takesAny = isRecord(schema.properties) && Object.keys(schema.properties).length > 0
          return { name: wireName, description: entry.tool.description, ...(takesAny && { parameters: schema }) }
        }),
      },
    ],
  })
}
