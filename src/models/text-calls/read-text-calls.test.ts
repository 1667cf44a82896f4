import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadTextCallCases, scoreCase, toolsOfCase } from '../../../test/support/text-call-cases.ts'
import { readTextCalls } from './read-text-calls.ts'

const given = loadTextCallCases('toolcalls.json')
const own = loadTextCallCases('toolcalls-own.json')
const more = loadTextCallCases('toolcalls-more.json')
const fresh = loadTextCallCases('toolcalls-fresh.json')

describe('every reply of the case file is read as it says', () => {
  test.each(given.cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    const reading = readTextCalls(one.text, toolsOfCase(given, one))
    expect(scoreCase(given.toolSchemas, one, reading)).toBeUndefined()
  })
})

test.each([
  ['that are nearly JSON, name tools otherwise or announce a call in other words', more],
  ['that announce, hedge, condition or only mention a call', fresh],
])('replies %s are read by the same rules', (_, set) => {
  const problems = set.cases.flatMap((one) => {
    const problem = scoreCase(set.toolSchemas, one, readTextCalls(one.text, toolsOfCase(set, one)))
    return problem === undefined ? [] : [`${one.id}: ${problem}`]
  })
  expect(problems).toEqual([])
})

describe('replies made from the chat template of each family are read as they were made', () => {
  const rules = [...new Set(own.cases.map(({ rule }) => rule))]
  test.each(rules)('%s', (rule) => {
    const cases = own.cases.filter((one) => one.rule === rule)
    const problems = cases.flatMap((one) => {
      const problem = scoreCase(own.toolSchemas, one, readTextCalls(one.text, toolsOfCase(own, one)))
      return problem === undefined ? [] : [`${one.id} (${one.family}, ${one.shape}): ${problem}`]
    })
    expect(problems).toEqual([])
  })
})

test('a reply that is cut off anywhere makes no call that the full reply does not make', () => {
  // Where the opening mark of reasoning stood in the prompt, or prose follows a bare call, only the full reply tells.
  const isCertain = (text: string, rule?: string) =>
    !/^(?!<|\[).*<\/think>/s.test(text) && rule !== 'bare' && rule !== 'mixed'
  const cases = own.cases.filter(({ text, rule }) => isCertain(text, rule))
  // By its place, so that a failure prints one case and not all.
  const anyCase = fc.nat(cases.length - 1).map((index) => cases[index] ?? { id: '', text: '', expect: { calls: [] } })
  fc.assert(
    fc.property(anyCase, fc.double({ min: 0, max: 1, noNaN: true }), (one, share) => {
      const tools = toolsOfCase(own, one)
      const full = readTextCalls(one.text, tools).calls
      const { calls } = readTextCalls(one.text.slice(0, Math.floor(share * one.text.length)), tools)
      expect(calls).toEqual(full.slice(0, calls.length))
    }),
    { numRuns: 3000 },
  )
})

test('a reply that was read says so in plain sentences', () => {
  const tools = toolsOfCase(given, { tools: ['read_file'] })
  const reply =
    '<think>Look first.</think>I look.\n<tool_call>{"name": "readFile", "arguments": {"path": "a"}}</tool_call>'
  expect(readTextCalls(reply, tools)).toEqual({
    calls: [{ name: 'read_file', arguments: { path: 'a' } }],
    text: 'I look.',
    reasoning: 'Look first.',
    isIncomplete: false,
    repairs: [
      'Read a call printed as text (Hermes, Qwen, GLM): read_file.',
      'Read another spelling of a tool\'s name: "readFile" as read_file.',
    ],
  })
})

test('an integer with too many digits stays text, so that nobody acts on another number', () => {
  const tools = [
    { name: 'pay', description: '', parameters: { type: 'object', properties: { id: { type: 'integer' } } } },
  ]
  const reply = '<tool_call>{"name": "pay", "arguments": {"id": 12345678901234567890}}</tool_call>'
  expect(readTextCalls(reply, tools).calls).toEqual([{ name: 'pay', arguments: { id: '12345678901234567890' } }])
})

test('a key that is given twice makes no call', () => {
  const tools = toolsOfCase(given, { tools: ['shell'] })
  const reply = '<tool_call>{"name": "shell", "arguments": {"command": "ls", "command": "rm -r x"}}</tool_call>'
  expect(readTextCalls(reply, tools)).toMatchObject({ calls: [], text: reply })
})

test('a key named __proto__ is data like any other', () => {
  const tools = toolsOfCase(given, { tools: ['shell'] })
  const reply = '<tool_call>{"name": "shell", "arguments": {"command": "ls", "__proto__": {"timeout": 1}}}</tool_call>'
  const [call] = readTextCalls(reply, tools).calls
  expect(Object.keys(call?.arguments ?? {})).toEqual(['command', '__proto__'])
  expect(call?.arguments).not.toHaveProperty('timeout')
})

test('a backtick that reasoning left open does not hide where the reasoning ends', () => {
  const tools = toolsOfCase(given, { tools: ['shell'] })
  const decoy = '<tool_call>{"name": "shell", "arguments": {"command": "reboot"}}</tool_call>'
  const reply = `Maybe ${decoy} or a \`\n</think>\nNothing to do in \`src\`.`
  expect(readTextCalls(reply, tools)).toMatchObject({ calls: [], text: 'Nothing to do in `src`.' })
})
