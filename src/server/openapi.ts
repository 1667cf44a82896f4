import type { Route } from '../core/api/route.ts'
import { ROUTES } from '../core/api/routes.ts'
import type { JsonSchema } from '../core/text/json.ts'
import { objectSchema, type Shape, string } from '../core/tool/schema.ts'

const ERROR = objectSchema({
  error: objectSchema({
    code: string('One of the codes in docs/errors.md'),
    message: string('What was wrong, and what was expected'),
  }),
})

/** Makes the OpenAPI document of the interface from its routes. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const path = paths[route.path] ?? {}
    paths[route.path] = { ...path, [route.method.toLowerCase()]: operationOf(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Haft', version, description: 'Runs tool calls from language models safely.' },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: { ...ERROR, properties: { error: { type: 'object', required: ['code', 'message'] } } } },
    },
  }
}

function operationOf(operationId: string, route: Route): Record<string, unknown> {
  const { about, params = {}, query = {}, body, answers, isOpen, isStream } = route
  return {
    operationId,
    summary: about,
    tags: [route.path.split('/')[2] ?? ''],
    ...(isOpen && { security: [] }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: objectSchema(body) } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [status, responseOf(schema, isStream === true)]),
      ),
      default: {
        description: 'A refusal',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function responseOf(schema: JsonSchema, isStream: boolean): Record<string, unknown> {
  const type = isStream ? 'text/event-stream' : 'application/json'
  return { description: 'The answer', content: { [type]: { schema } } }
}

function parametersOf(shape: Shape, location: 'path' | 'query'): Record<string, unknown>[] {
  const { properties, required } = objectSchema(shape) as {
    readonly properties: Readonly<Record<string, JsonSchema>>
    readonly required: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: location, required: required.includes(name), schema },
    ...(description !== undefined && { description }),
  }))
}
