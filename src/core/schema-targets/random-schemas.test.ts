import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromGoogle } from '../../../test/support/schemas/from-google.ts'
import { randomParameters } from '../../../test/support/schemas/random-schemas.ts'
import { randomFrom, sampleValue } from '../../../test/support/schemas/sample-value.ts'
import type { JsonSchema } from '../text/json.ts'
import { compileFor } from './compile-for.ts'
import { restoreArguments } from './restore-arguments.ts'
import type { TargetName } from './target.ts'
import { TARGETS } from './targets.ts'

const names = Object.keys(TARGETS) as TargetName[]

const ajv = new Ajv2020({ strict: false, validateSchema: false, meta: false, validateFormats: false, logger: false })

/** Makes a check of values; undefined for a schema that ajv cannot compile, such as one that repeats an enum value. */
function checkerOf(schema: JsonSchema): ((value: unknown) => boolean) | undefined {
  try {
    const validate = ajv.compile({ ...schema })
    return (value) => {
      try {
        return validate(value) === true
      } catch (thrown) {
        // Beside `not: {}` ajv writes code that uses a variable it never declares: such a schema tells nothing.
        fc.pre(!(thrown instanceof ReferenceError))
        throw thrown
      }
    }
  } catch {
    return undefined
  }
}

const samplesOf = (schema: JsonSchema, seed: number) => {
  const random = randomFrom(seed)
  return Array.from({ length: 20 }, () => sampleValue(schema, { root: schema, random }))
}

const asJsonSchema = (schema: JsonSchema, name: TargetName) => (name === 'gemini' ? fromGoogle(schema) : schema)

test.for(names)(
  '%s: an exported schema accepts what the original accepts, and no more, unless the report says so',
  (name) => {
    const seen = { accepted: 0, equal: 0 }
    fc.assert(
      fc.property(randomParameters, fc.nat(), (original, seed) => {
        const { schema, losses, refused } = compileFor(original, name)
        const accepts = checkerOf(original)
        if (accepts === undefined || refused.length > 0) return
        const exported = checkerOf(asJsonSchema(schema, name))
        if (exported === undefined) throw new Error('the exported schema does not compile')
        const isTighter = losses.some(({ effect }) => effect === 'tighter')
        const isLooser = losses.some(({ effect }) => effect === 'looser')
        for (const value of samplesOf(original, seed)) {
          if (!isTighter && accepts(value)) {
            seen.accepted++
            expect(exported(value)).toBe(true)
          }
          if (!isTighter && !isLooser) {
            seen.equal++
            expect(exported(value)).toBe(accepts(value))
          }
        }
      }),
      // Strict mode keeps about one random schema in twenty as it is: enough of them must come up.
      { numRuns: name === 'openai-strict' ? 600 : 300 },
    )
    expect(seen.accepted).toBeGreaterThan(20)
    if (name !== 'gemini') expect(seen.equal).toBeGreaterThan(20)
  },
)

const published = (file: string) =>
  checkerOf(JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/data', file), 'utf8')))

test('what is written for Gemini and for strict mode keeps to their published schemas, whatever the tool has', () => {
  const [takesGemini, takesStrict] = [published('gemini-function.schema.json'), published('openai-strict.schema.json')]
  fc.assert(
    fc.property(randomParameters, (original) => {
      const parameters = compileFor(original, 'gemini').schema
      expect(takesGemini?.({ functionDeclarations: [{ name: 't', description: '', parameters }] })).toBe(true)
      const strict = compileFor(original, 'openai-strict')
      if (strict.refused.length === 0) expect(takesStrict?.(strict.schema)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('what a model sends in strict mode is accepted by the original once added nulls are taken away, unless the report says looser', () => {
  let checked = 0
  fc.assert(
    fc.property(randomParameters, fc.nat(), (original, seed) => {
      const { schema, losses, refused, addedNulls } = compileFor(original, 'openai-strict')
      const [accepts, exported] = [checkerOf(original), checkerOf(schema)]
      if (!accepts || !exported || refused.length > 0 || losses.some(({ effect }) => effect === 'looser')) return
      for (const value of samplesOf(original, seed)) {
        if (!exported(value)) continue
        checked++
        expect(accepts(restoreArguments(value, addedNulls))).toBe(true)
      }
    }),
    { numRuns: 600 },
  )
  expect(checked).toBeGreaterThan(20)
})

test.for(names)('%s: schemas that grow without end, or are nested very deep, are cut and reported', (name) => {
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      { type: 'object', properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } } },
    ]),
  )
  const $defs = { ...doubling, d40: { type: 'object', properties: { end: { type: 'string' } } } }
  const grown = compileFor({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, anyOf: [{}], $defs }, name)
  let deep: JsonSchema = { type: 'string' }
  for (let i = 0; i < 5000; i++) deep = { type: 'array', items: deep }
  const nested = compileFor({ type: 'object', properties: { deep }, required: ['deep'] }, name)
  if (TARGETS[name].subset === undefined) return
  for (const { losses, schema } of [grown, nested]) {
    expect(losses).toContainEqual(
      expect.objectContaining({ effect: 'looser', text: expect.stringMatching(/too (large|deep)/) }),
    )
    expect(JSON.stringify(schema).length).toBeLessThan(2_000_000)
  }
})
