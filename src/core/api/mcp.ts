import { type ListedMcpServer, MCP_STATES } from '../mcp/listed-server.ts'
import {
  array,
  boolean,
  integer,
  number,
  objectSchema,
  oneOf,
  optional,
  record,
  schemaOf,
  string,
} from '../tool/schema.ts'
import { done } from './answers.ts'
import type { Route } from './route.ts'

const name = string('Name of the server', { minLength: 1, maxLength: 40 })

const listed = schemaOf<ListedMcpServer>({
  name,
  from: string('settings.toml or managed.toml'),
  isManaged: boolean('True if it was added by a command or a page and can be removed by one'),
  target: string('Command or address, without secrets'),
  state: oneOf(MCP_STATES, 'What it does now'),
  tools: integer('How many tools it offers'),
  server: optional(string('Name and version as the server gives them')),
  protocol: optional(string('Version of the protocol')),
  problem: optional(string('Why it cannot be used now')),
  stderr: optional(string('The last lines of its error output')),
  skipped: array(string('A reason'), 'What it lists and Haft does not take'),
  changed: array(
    objectSchema({ tool: string('Name of the tool'), difference: string('What changed, as a diff') }),
    'Tools that are held back until you accept them',
  ),
})

const pairs = (about: string) => optional(record(string('A value', { maxLength: 10_000 }), about))

export const mcpRoutes = {
  listMcpServers: {
    method: 'GET',
    path: '/api/mcp',
    about: 'Lists the MCP servers whose tools are used, and what each does now.',
    answers: { 200: objectSchema({ servers: array(listed, 'The servers') }) },
  },
  addMcpServer: {
    method: 'POST',
    path: '/api/mcp',
    about: 'Tries an MCP server and stores it if it answers. settings.toml is not changed.',
    body: {
      name,
      command: optional(string('Program to start', { minLength: 1, maxLength: 4_000 })),
      args: optional(array(string('An argument', { maxLength: 10_000 }), 'Its arguments')),
      env: pairs('Its variables'),
      cwd: optional(string('Folder that it starts in', { minLength: 1, maxLength: 4_000 })),
      url: optional(string('Address of a remote server', { minLength: 1, maxLength: 2_000 })),
      headers: pairs('Headers of each request'),
      oauth: optional(
        objectSchema({
          clientId: string('How Haft is registered', { minLength: 1, maxLength: 1_000 }),
          clientSecret: optional(string('The secret of the registration', { minLength: 1, maxLength: 1_000 })),
          port: optional(integer('The port that the browser comes back to', { minimum: 1, maximum: 65_535 })),
        }),
      ),
      timeout: optional(number('Seconds that a call may take', { minimum: 1, maximum: 600 })),
    },
    answers: { 201: objectSchema({ server: listed }) },
  },
  testMcpServer: {
    method: 'POST',
    path: '/api/mcp/test',
    about:
      'Starts an MCP server if need be, asks it for its tools anew and says what it offers; accepts its changed tools if asked to.',
    body: { name, accept: optional(boolean('Accepts the tools as they were last listed')) },
    answers: { 200: objectSchema({ server: listed }) },
  },
  removeMcpServer: {
    method: 'DELETE',
    path: '/api/mcp/{name}',
    about: 'Stops and removes an MCP server that was added by a command or a page.',
    params: { name },
    answers: { 200: done },
  },
} as const satisfies Record<string, Route>
