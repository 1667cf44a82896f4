import { defineTool, objectSchema, string, type Tool } from '../../src/index.ts'

/** Tools with the documents' schemas, tightened as ours will be; they do nothing. Each goes when the package that brings it lands. */
export const documentTools: readonly Tool[] = [
  defineTool({
    name: 'weather_tools:get_weather_info',
    description: 'The weather.',
    input: objectSchema({ location: string('Where') }),
    effect: 'none',
    execute: (input) => input,
  }),
]
