import type { JsonSchema } from '../core/text/json.ts'
import type { DefinitionFormat, RegisteredTool } from '../core/tool/snapshot.ts'
import type { Entry } from './entry.ts'

/** A function definition in OpenAI's format. */
export interface OpenAIFunction {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** Returns a tool as an OpenAI function. */
export function toOpenAIFunction({ tool, wireName, offered }: RegisteredTool): OpenAIFunction {
  return { name: wireName, description: tool.description, parameters: offered }
}

/** The JSON before and after a tool's parameters. */
interface Frame {
  readonly before: (entry: Entry) => string
  readonly after: string
}

const FORMATS: Readonly<Record<DefinitionFormat, Frame>> = {
  openai: {
    before: ({ tool, wireName }) =>
      `{"type":"function","function":{"name":${JSON.stringify(wireName)},"description":${JSON.stringify(tool.description)},"parameters":`,
    after: '}}',
  },
}

/** The formats of definitions. */
export const DEFINITION_FORMATS = Object.keys(FORMATS)

/** Returns all definitions in a format as JSON text. Keep it: the tools' own texts become slices of it. */
export function definitionsOf(tools: readonly Entry[], format: DefinitionFormat): string {
  const { before, after } = FORMATS[format]
  const starts: number[] = []
  let text = ''
  for (const entry of tools) {
    text += (text === '' ? '[' : ',') + before(entry)
    starts.push(text.length)
    text += entry.text + after
  }
  text = `${text || '['}]`
  tools.forEach((entry, i) => {
    entry.findTextIn(text, starts[i] ?? 0)
  })
  return text
}
