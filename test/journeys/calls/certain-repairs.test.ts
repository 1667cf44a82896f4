import { expect, test } from 'vitest'
import { createHost, defineTool, type Effect } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    isOpen: { type: 'boolean' },
    max_results: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    pages: { type: 'array', items: { type: 'integer' } },
    name: { type: 'string' },
    options: { $ref: '#/$defs/options' },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: {
    options: { type: 'object', properties: { sortBy: { type: 'string' } }, additionalProperties: false },
  },
}

/** The schema with the descriptions that a tool's author must give. */
function described(schema: { readonly properties: object }) {
  const properties = Object.entries(schema.properties).map(([name, one]) => [name, { ...one, description: name }])
  return { type: 'object', ...schema, properties: Object.fromEntries(properties) } as const
}

/** Calls a tool that returns its arguments. */
async function call(given: object, schema: { readonly properties: object } = SCHEMA, effect: Effect = 'none') {
  const echo = defineTool({
    name: 'echo_arguments',
    description: 'Return the arguments',
    input: described(schema),
    effect,
    approval: false,
    execute: (input) => input,
  })
  const repairs: string[] = []
  const host = await createHost({ workspace: temporaryFolder(), tools: [echo] })
  host.on((event) => event.type === 'call-repaired' && repairs.push(...event.repairs))
  const result = await host.call('echo_arguments', given)
  await host.close()
  return { ok: result.ok, text: result.text, input: result.ok ? result.data : undefined, repairs }
}

test.for([
  [{ isOpen: 'True' }, { isOpen: true }, 'read isOpen as boolean: it was given as text'],
  [{ isOpen: 'False' }, { isOpen: false }, 'read isOpen as boolean: it was given as text'],
  [{ tags: 'red' }, { tags: ['red'] }, 'read tags as array: it was given as one value'],
  [{ pages: 3 }, { pages: [3] }, 'read pages as array: it was given as one value'],
  [{ isOpen: [true] }, { isOpen: true }, 'read isOpen as boolean: it was given as a list of one'],
  [{ name: ['x'] }, { name: 'x' }, 'read name as string: it was given as a list of one'],
  [{ name: 42 }, { name: '42' }, 'read name as string: it was given as a number'],
  [{ maxResults: 5 }, { max_results: 5 }, 'read maxResults as max_results'],
  [{ maxResults: '5' }, { max_results: 5 }, 'read max_results as number: it was given as text'],
  [{ 'is-open': 'True' }, { isOpen: true }, 'read isOpen as boolean: it was given as text'],
  [{ options: { sort_by: 'age' } }, { options: { sortBy: 'age' } }, 'read sort_by as sortBy'],
] as const)('%j has one meaning, is repaired, and the repair is an event', async ([given, meant, repair]) => {
  const { ok, input, repairs } = await call({ name: 'n', ...given })
  expect({ ok, input }).toEqual({ ok: true, input: { name: 'n', ...meant } })
  expect(repairs).toContain(repair)
})

test.for([
  [{ tags: 'red, green' }],
  [{ tags: 'red\ngreen' }],
  [{ name: ['x', 'y'] }],
  [{ name: 1.1 }],
  [{ isOpen: 'yes' }],
  [{ isOpen: 1 }],
  [{ maxResults: 5, max_results: 6 }],
  [{ max_result: 5 }],
])('%j has several meanings or none, and is refused', async ([given]) => {
  expect(await call({ name: 'n', ...given })).toMatchObject({ ok: false, repairs: [] })
})

test('a list of one is no value for a tool that changes something: which one was meant is asked', async () => {
  expect(await call({ name: ['x'] }, SCHEMA, 'write')).toMatchObject({ ok: false, repairs: [] })
  expect(await call({ name: 'x' }, SCHEMA, 'write')).toMatchObject({ ok: true })
})

test('schemas that ajv refuses or passes over are checked as they were meant', async () => {
  const properties = JSON.parse(
    '{"age":{"type":"number","minimum":18,"exclusiveMinimum":true},"share":{"type":"number","maximum":1,"exclusiveMaximum":false},"none":{"enum":[]}}',
  )
  const schema = { type: 'object', properties }
  for (const given of [{ age: 19 }, { share: 1 }, {}]) expect(await call(given, schema)).toMatchObject({ ok: true })
  for (const given of [{ age: 18 }, { share: 1.1 }, { none: 'x' }])
    expect(await call(given, schema)).toMatchObject({ ok: false })
  const named = { ...schema, $schema: 'http://json-schema.org/draft-04/schema#' }
  expect(await call({ age: 18 }, named)).toMatchObject({ ok: false })
})
