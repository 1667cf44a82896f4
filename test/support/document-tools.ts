import { boolean, defineTool, integer, objectSchema, oneOf, optional, string, type Tool } from '../../src/index.ts'

const path = string('Path relative to the workspace', { minLength: 1 })
const encoding = optional(oneOf(['utf-8', 'base64'], 'How content is written'))

/** Tools with the documents' schemas, tightened as ours will be; they do nothing. Each goes when the package that brings it lands. */
export const documentTools: readonly Tool[] = [
  defineTool({
    name: 'write_file',
    description: 'Create or overwrite a file.',
    input: objectSchema({
      path,
      content: string('What it holds'),
      encoding,
      createDirs: optional(boolean('Make parents')),
    }),
    effect: 'write',
    execute: (input) => input,
  }),
  defineTool({
    name: 'list_directory',
    description: 'List files.',
    input: objectSchema({
      path,
      recursive: optional(boolean('Below too')),
      includeHidden: optional(boolean('Hidden too')),
    }),
    effect: 'read',
    execute: (input) => input,
  }),
  defineTool({
    name: 'list_files',
    description: 'List files.',
    input: objectSchema({ path: optional(path) }),
    effect: 'read',
    execute: (input) => input,
  }),
  defineTool({
    name: 'delete_file',
    description: 'Delete.',
    input: objectSchema({ path, recursive: optional(boolean('Folders too')) }),
    effect: 'write',
    execute: (input) => input,
  }),
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
