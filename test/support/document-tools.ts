import { defineTool, integer, objectSchema, optional, string, type Tool } from '../../src/index.ts'

/** Tools with the documents' schemas, tightened as ours will be; they do nothing. Each goes when the package that brings it lands. */
export const documentTools: readonly Tool[] = [
  defineTool({
    name: 'web_search',
    description: 'Search the web.',
    input: objectSchema({ query: string('What for'), numResults: optional(integer('How many', { minimum: 1 })) }),
    effect: 'network',
    execute: (input) => input,
  }),
  defineTool({
    name: 'weather_tools:get_weather_info',
    description: 'The weather.',
    input: objectSchema({ location: string('Where') }),
    effect: 'none',
    execute: (input) => input,
  }),
]
