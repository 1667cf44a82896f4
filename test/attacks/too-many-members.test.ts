import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'
import { startTestServer } from '../support/http/test-server.ts'

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name_${i}`, i]))
const numbers = (count: number) => ({ list: Array.from({ length: count }, (_, i) => i) })
const nested = (count: number) => ({ list: Array.from({ length: count }, () => ({})) })

const MEMBERS = 'an object has more than 10,000 members'
const VALUES = 'there are more than 100,000 values'

/** A host with one tool whose schema counts how often it is asked. */
async function countingHost() {
  const host = await exampleHost()
  let checks = 0
  host.registry.register(
    defineTool({
      name: 'count',
      description: 'Counts the checks of its arguments.',
      input: z.looseObject({}).refine(() => {
        checks++
        return true
      }),
      effect: 'none',
      execute: () => 'ran',
    }),
  )
  return { host, checks: () => checks }
}

test.each<[string, unknown, string]>([
  ['an object', named(500_000), MEMBERS],
  ['an object in a list', { list: [1, named(10_001)] }, MEMBERS],
  ['a text', JSON.stringify(named(400_000)), MEMBERS],
  ['a text inside a text', JSON.stringify(JSON.stringify(named(300_000))), MEMBERS],
  ['a text in a fence', `\`\`\`json\n${JSON.stringify(named(400_000))}\n\`\`\``, MEMBERS],
  ['a text that needs repair', JSON.stringify(named(400_000)).replaceAll('"', "'"), MEMBERS],
  ['a text that is cut off', JSON.stringify(named(400_000)).slice(0, -2), MEMBERS],
  ['a million numbers', numbers(1_000_000), VALUES],
  ['a million numbers as text', JSON.stringify(numbers(1_000_000)), VALUES],
  ['a list without elements that says it is long', { list: new Array(1_000_000_000) }, VALUES],
  ['many empty objects', nested(100_001), VALUES],
  ['four million brackets', `{"list": ${'['.repeat(4_000_000)}`, VALUES],
])('arguments with too many members or values are refused before the schema sees them: %s', async (_, given, limit) => {
  const { host, checks } = await countingHost()
  const result = await host.call('count', given)
  expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS', text: expect.stringContaining(limit) })
  expect(result.text.length).toBeLessThan(300)
  expect(checks()).toBe(0)
})

test.each<[string, unknown]>([
  ['10,000 members', named(10_000)],
  ['99,999 numbers', numbers(99_999)],
  ['seven million characters of commas, quotes and brackets', { content: '{"[,\'}'.repeat(1_200_000) }],
])('large arguments that a tool may well get are accepted: %s', async (_, given) => {
  const { host } = await countingHost()
  expect(await host.call('count', given)).toMatchObject({ ok: true })
  expect(await host.call('count', JSON.stringify(given))).toMatchObject({ ok: true })
})

test('a refusal names few of many unknown names, and few of many known ones', async () => {
  const host = await exampleHost()
  const properties = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [`known_${i}`, { type: 'string', description: 'A text' }]),
  )
  host.registry.register(
    defineTool({
      ...{ name: 'wide', description: 'Takes much.', effect: 'none', execute: () => 'ran' },
      input: { type: 'object', properties, additionalProperties: false },
    }),
  )
  const { text } = await host.call('wide', named(10_000))
  expect(text).toContain('- name_0: unknown key')
  expect(text).toContain('and 4960 more')
  expect(text.length).toBeLessThan(5_000)
})

test('a request with 500,000 names is refused with the limit, in arguments and anywhere else', async () => {
  const server = await startTestServer()
  const send = async (path: string, body: string) => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
    const answer: unknown = await response.json()
    return { status: response.status, answer }
  }
  const error = { code: 'INVALID_ARGUMENTS', message: `The body is refused: ${MEMBERS}.` }
  const many = JSON.stringify(named(400_000))
  expect(await send('/api/tools/read_file/call', `{"arguments":${many}}`)).toEqual({ status: 400, answer: { error } })
  expect(await send('/api/tools/read_file/check', `{"arguments":${many}}`)).toEqual({ status: 400, answer: { error } })
  const few = JSON.stringify(named(20_000))
  expect(await send('/api/sessions', few)).toEqual({ status: 400, answer: { error } })
  expect(await send('/api/tools/read_file/call', JSON.stringify({ arguments: few }))).toMatchObject({
    status: 200,
    answer: { code: 'INVALID_ARGUMENTS', text: expect.stringContaining(MEMBERS) },
  })
  expect(server.faults).toEqual([])
})
