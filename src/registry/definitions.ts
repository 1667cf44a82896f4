import { exportedParameters, exportedText } from '../core/background.ts'
import type { JsonSchema } from '../core/json.ts'
import type { DefinitionFormat, RegisteredTool } from '../core/snapshot.ts'

/** One function as OpenAI's models know it. */
export interface OpenAIFunction {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** A tool as an OpenAI function. */
export function toOpenAIFunction({ tool, wireName, parameters }: RegisteredTool): OpenAIFunction {
  return { name: wireName, description: tool.description, parameters: exportedParameters(parameters) }
}

const FORMATS: Readonly<Record<DefinitionFormat, (entry: RegisteredTool) => string>> = {
  openai: ({ tool, wireName, parameters }) => {
    const described = `"name":${JSON.stringify(wireName)},"description":${JSON.stringify(tool.description)}`
    return `{"type":"function","function":{${described},"parameters":${exportedText(parameters)}}}`
  },
}

/** The formats definitions can be asked in. */
export const DEFINITION_FORMATS = Object.keys(FORMATS)

/** All definitions in a format, as JSON text. */
export function definitionsOf(tools: readonly RegisteredTool[], format: DefinitionFormat): string {
  return `[${tools.map(FORMATS[format]).join(',')}]`
}
