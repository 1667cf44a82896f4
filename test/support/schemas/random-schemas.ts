import fc from 'fast-check'
import type { JsonSchema } from '../../../src/core/text/json.ts'

const NAMES = ['a', 'b', 'c']
const name = fc.constantFrom(...NAMES)

/** Some of these keywords, so that a schema stays one that values can satisfy. */
function someOf(shape: Record<string, fc.Arbitrary<unknown>>, most: number): fc.Arbitrary<JsonSchema> {
  return fc
    .subarray(Object.keys(shape), { maxLength: most })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, shape[key] ?? fc.constant(null)]))))
}

const words = someOf(
  { description: fc.constantFrom('What it is', ''), title: fc.constant('T'), default: fc.constantFrom(1, 'x', null) },
  1,
)
const withType = (type: fc.Arbitrary<unknown>, checks: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
  fc.tuple(type, checks).map(([given, others]) => ({ type: given, ...others }))

const text = withType(
  fc.constantFrom('string', ['string', 'null'], ['string', 'integer']),
  someOf(
    {
      minLength: fc.nat(2),
      maxLength: fc.nat(4),
      pattern: fc.constantFrom('^a', 'b$'),
      format: fc.constantFrom('date-time', 'uri'),
    },
    1,
  ),
)
const count = withType(
  fc.constantFrom('integer', 'number', ['number', 'null']),
  someOf(
    {
      minimum: fc.integer({ min: -2, max: 2 }),
      exclusiveMaximum: fc.integer({ min: 0, max: 5 }),
      multipleOf: fc.constantFrom(1, 2),
    },
    1,
  ),
)
const fixed = fc.oneof(
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', '', 1, 2, null, true), { minLength: 1 }) }),
  fc.record({ const: fc.constantFrom('a', 1, null, false) }),
  fc.record({ type: fc.constantFrom('boolean', 'null') }),
  fc.constantFrom({}, { $ref: '#/$defs/shared' }, { $ref: '#/$defs/loop' }),
)

const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema; part: unknown }>((tie) => ({
  part: fc.oneof({ weight: 12, arbitrary: tie('schema') }, { weight: 1, arbitrary: fc.boolean() }),
  object: fc
    .tuple(
      fc.dictionary(name, tie('part'), { maxKeys: 3, noNullPrototype: true }),
      fc.constantFrom('object', ['object', 'null']),
      someOf(
        {
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.constant(false), tie('part')),
          patternProperties: fc.record({ '^[ab]$': tie('schema') }),
          unevaluatedProperties: fc.constant(false),
          minProperties: fc.nat(2),
          propertyNames: fc.constant({ pattern: '^[abc]' }),
          dependentRequired: fc.constant({ a: ['b'] }),
        },
        2,
      ),
    )
    .map(([properties, type, others]) => ({ type, properties, ...others })),
  schema: fc.oneof(
    { maxDepth: 2, depthSize: 'xsmall' },
    fc.tuple(words, fc.oneof(text, count, fixed)).map(([annotations, checks]) => ({ ...annotations, ...checks })),
    fc.tuple(words, tie('object')).map(([annotations, checks]) => ({ ...annotations, ...checks })),
    withType(
      fc.constant('array'),
      someOf(
        {
          items: tie('part'),
          prefixItems: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
          minItems: fc.nat(1),
          maxItems: fc.nat(3),
          uniqueItems: fc.boolean(),
          contains: fc.constant({ type: 'string' }),
        },
        2,
      ),
    ),
    someOf(
      {
        anyOf: fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
        allOf: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
        type: fc.constantFrom('object', 'string'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true }),
      },
      2,
    ),
  ),
}))

/** The parameters of a tool, with references, one of them recursive. */
export const randomParameters: fc.Arbitrary<JsonSchema> = fc
  .tuple(
    fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true }),
    schema,
    someOf(
      {
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.boolean(),
        closed: fc.constant(false),
        unevaluatedProperties: fc.constant(false),
        anyOf: fc.array(schema, { minLength: 1, maxLength: 3 }),
        allOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
        not: schema,
      },
      2,
    ),
  )
  .map(([properties, shared, { closed, ...others }]) => ({
    type: 'object',
    properties,
    ...(closed === false && { additionalProperties: false, required: Object.keys(properties) }),
    ...others,
    $defs: {
      shared: JSON.parse(JSON.stringify(shared).replaceAll('#/$defs/shared', '#/$defs/leaf')),
      leaf: { type: 'integer', minimum: 0 },
      loop: { type: 'object', properties: { a: { $ref: '#/$defs/loop' }, b: { type: 'string' } } },
    },
  }))
