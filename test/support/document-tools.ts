import {
  array,
  defineTool,
  integer,
  number,
  objectSchema,
  oneOf,
  optional,
  record,
  string,
  type Tool,
} from '../../src/index.ts'

/** Tools with the documents' schemas, tightened as ours will be; they do nothing. Each goes when the package that brings it lands. */
export const documentTools: readonly Tool[] = [
  defineTool({
    name: 'run_code',
    description: 'Run code.',
    input: objectSchema({
      language: oneOf(['python', 'bash'], 'The language'),
      code: string('The code'),
      args: optional(array(string('One argument'), 'Arguments')),
      env: optional(record(string('A value', { pattern: '^[^\\0]*$' }), 'Environment variables')),
      timeout: optional(number('Seconds', { minimum: 1, maximum: 600 })),
    }),
    effect: 'run',
    execute: (input) => input,
  }),
  defineTool({
    name: 'shell',
    description: 'Run a command.',
    input: objectSchema({
      command: string('The command', { maxLength: 100_000 }),
      cwd: optional(string('Path relative to the workspace', { minLength: 1 })),
    }),
    effect: 'run',
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
