import type { Contestant } from '../lib/contestant.ts'
import { echo, echoSchema, echoZod } from '../lib/echo-tool.ts'
import { importPeer } from '../lib/import-peer.ts'
import { type Catalogue, describeTool, makeCatalogue, openAIFunction } from './catalogue.ts'
import { FLOOR } from './names.ts'

interface Entry {
  readonly name: string
  readonly description: string
  readonly schema: object
  readonly validator: unknown
  readonly run: unknown
}

type TypeBoxCompile = { Compile(schema: object): unknown }

/** A Map and nothing else, or a Map with one library's validators made at once. */
export const maps: readonly Contestant<Catalogue>[] = [
  { name: FLOOR, start: async () => mapOf((i) => ({ schema: echoSchema(` ${i}`) })) },
  {
    name: 'Map, ajv compiled at once',
    peer: true,
    async start() {
      const { Ajv } = await import('ajv')
      const ajv = new Ajv()
      return mapOf((i) => {
        const schema = echoSchema(` ${i}`)
        return { schema, validator: ajv.compile(schema) }
      })
    },
  },
  {
    name: 'Map, typebox compiled at once',
    peer: true,
    async start() {
      const { Compile } = await importPeer<TypeBoxCompile>('typebox/compile')
      return mapOf((i) => {
        const schema = echoSchema(` ${i}`)
        return { schema, validator: Compile(schema) }
      })
    },
  },
  {
    name: 'Map, zod 4 (toJSONSchema)',
    peer: true,
    async start() {
      const { z } = await import('zod')
      return mapOf(
        (i) => ({ schema: echoZod(z, ` ${i}`) }),
        (schema) => z.toJSONSchema(schema),
      )
    },
  },
]

function mapOf<Schema extends object>(
  makeSchema: (i: number) => { schema: Schema; validator?: unknown },
  toParameters: (schema: Schema) => object = (schema) => schema,
): Catalogue {
  return makeCatalogue({
    define(count) {
      const tools = new Map<string, Entry & { readonly schema: Schema }>()
      for (let i = 0; i < count; i++) {
        const { schema, validator } = makeSchema(i)
        tools.set(`t${i}`, { name: `t${i}`, description: describeTool(i), schema, validator, run: echo })
      }
      return tools
    },
    definitions: (tools) =>
      JSON.stringify(
        [...tools.values()].map((tool) => openAIFunction(tool.name, tool.description, toParameters(tool.schema))),
      ),
  })
}
