import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTextCalls } from '../../src/models/text-calls/read-text-calls.ts'
import { createVisibleText, type VisiblePart } from '../../src/models/text-calls/visible-text.ts'
import { loadTextCallCases, toolsOfCase } from '../support/text-call-cases.ts'

const set = loadTextCallCases('toolcalls.json')
const tools = toolsOfCase(set, {})

/** Pieces of markup of many families, complete and broken. */
const PIECES = [
  ...[
    '<tool_call>',
    '</tool_call>',
    '<think>',
    '</think>',
    '[TOOL_CALLS]',
    '[ARGS]',
    '```',
    '```json\n',
    '`',
    '~~~\n',
    '> ',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '\\',
    ',',
    ':',
    '(',
    ')',
    '\n',
    '\n\n',
    ' ',
    '    ',
    'read_file',
    'shell',
    'I will read it.\n',
  ],
  ...[
    '{"name": "read_file", "arguments": {"path": "a"}}',
    '"name": "shell"',
    '<function=shell>',
    '<parameter=command>',
  ],
  ...['</parameter>', '</function>', '<invoke name="shell">', '<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>'],
  ...[
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁sep｜>',
    '<|channel|>',
    '<|message|>',
    '<|start|>assistant',
  ],
  ...[
    'commentary to=functions.shell',
    '<|call|>',
    '<|im_start|>',
    '<|im_end|>',
    'user',
    'Action:',
    'Action Input:',
    '>>>',
  ],
  ...[
    '<start_function_call>',
    'call:',
    '<escape>',
    '<|python_tag|>',
    '[read_file(path="a")]',
    '\u0000',
    '\ud800',
    '“',
    '”',
  ],
]
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''))

describe('hostile replies', () => {
  test('never make the reader throw, and every call names an offered tool and has an object of arguments', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 200 })), (reply) => {
        for (const { name, arguments: given } of readTextCalls(reply, tools).calls) {
          expect(tools.map((tool) => tool.name)).toContain(name)
          expect(given).toBeTypeOf('object')
          expect(Array.isArray(given)).toBe(false)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('are shown live as the full reading has them, however they are split', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 20 }), (reply, size) => {
        const reading = readTextCalls(reply, tools)
        const visible = createVisibleText(tools)
        const parts: VisiblePart[] = []
        for (let at = 0; at < reply.length; at += size) parts.push(...visible.push(reply.slice(at, at + size)))
        parts.push(...visible.end())
        const shown = parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('')
        // Only the full reply tells bare calls, and reasoning that was opened in the prompt.
        const isKnownAtTheEnd = reply.includes('</think>') || reading.repairs.some((one) => one.includes('no markup'))
        if (!isKnownAtTheEnd) expect(shown).toBe(reading.text)
      }),
      { numRuns: 3000 },
    )
  })

  test('never make a call when no tool is offered', () => {
    fc.assert(
      fc.property(hostile, (reply) => {
        expect(readTextCalls(reply, []).calls).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  // Each takes a second or so when time grows with the length, and hours when it grows with the square.
  test.each(['<tool_call>', '{', '`'])('10 MB of %s end', (piece) => {
    expect(readTextCalls(piece.repeat(10_000_000 / piece.length), tools).calls).toEqual([])
  })

  const REPEATED = {
    'short runs of backticks': '` `` ',
    'fences that open': '```\n',
    'openings of reasoning': '<think>',
    'closings of reasoning': '</think>',
    'reasoning that is mentioned': 'the <think> tag, ',
    'parameters that never end': '<function=shell><parameter=command>',
    'objects in objects': '<tool_call>{"name":',
    channels: '<|channel|>final<|message|>a',
    actions: 'Action: read_file\n',
    'lines that begin with a brace': '{"a":1}\n',
    recipients: '>>>all\n',
    'keys that never end': '<tool_call>shell<arg_key>',
    'quotations that never end': '"a <tool_call>{"name": "x", "arguments": {}}</tool_call> ',
  }
  test.each(Object.entries(REPEATED))('2 MB of %s end', (_, piece) => {
    const reply = piece.repeat(2_000_000 / piece.length)
    expect(readTextCalls(reply, tools).calls).toEqual([])
  })

  test('a list of 200,000 calls is read', () => {
    const call = '{"name": "functions.shell", "arguments": {}}'
    const reply = `<tool_call>[${Array.from({ length: 200_000 }, () => call).join(',')}]</tool_call>`
    const { calls, repairs } = readTextCalls(reply, tools)
    expect(calls).toHaveLength(200_000)
    expect(repairs).toHaveLength(2)
  })

  test('10 MB of parameters that close once, and wrongly, end', () => {
    const reply = `${'<function=shell><parameter=command>'.repeat(300_000)}</parameter> x </function>`
    expect(readTextCalls(reply, tools).calls).toEqual([])
  })
})
