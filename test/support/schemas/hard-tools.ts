import { defineTool, type JsonSchema, objectSchema, string, type Tool } from '../../../src/index.ts'

const plain = (name: string, input: JsonSchema): Tool =>
  defineTool({ name, description: `The tool ${name}.`, input, effect: 'none', execute: (given) => given })

/** Tools whose schemas or names some target cannot express. */
export const hardTools: readonly Tool[] = [
  plain('9_lives', objectSchema({ cat: string('Which cat') })),
  plain('weather:get', objectSchema({ city: string('Which city') })),
  plain('alternatives', {
    type: 'object',
    anyOf: [
      { properties: { path: { type: 'string', description: 'A file' } }, required: ['path'] },
      { properties: { url: { type: 'string', format: 'uri' } }, required: ['url'] },
    ],
  }),
  plain('recursive', {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node', description: 'A tree' } },
    $defs: {
      node: {
        type: 'object',
        properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      },
    },
  }),
  plain('values', {
    type: 'object',
    properties: {
      level: { enum: [1, 2, 3], description: 'A level' },
      kind: { oneOf: [{ const: 'a' }, { const: 'b' }], description: 'A kind' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], description: 'A pair' },
      headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Headers' },
      maybe: { type: ['string', 'null'], maxLength: 5, description: 'A text or null' },
      anything: { description: 'Anything', anyOf: [{}, { type: 'string' }] },
    },
    required: ['level'],
  }),
  plain('odd_keys', {
    type: 'object',
    properties: { 'a key': { type: 'string', description: 'Its name has a space' } },
  }),
]
